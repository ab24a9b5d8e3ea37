import { describe, expect, it } from 'vitest';
import { createAddressFilter, parseNetworks } from './public-address.ts';

const filter = createAddressFilter({ allow: [] });
const isAllowed = (address: string) => filter(address, 443);

describe('createAddressFilter', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '169.253.0.1',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('allows %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.170',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '127.0.0.1.example.com',
  ])('refuses %s', (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  // IMPORT-9
  it('allows the named networks and addresses, and not their neighbors', () => {
    const allow = ['127.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1'];
    const allows = (address: string) => createAddressFilter({ allow })(address, 443);
    for (const address of ['127.9.9.9', '::ffff:127.0.0.1', '10.1.2.3', 'fd12::1', '::1']) {
      expect(allows(address)).toBe(true);
    }
    for (const address of ['10.1.2.4', '128.0.0.0/8', '169.254.1.1', 'fc00::1', '::2']) {
      expect(allows(address)).toBe(false);
    }
  });
});

describe("this machine's own addresses", () => {
  const own = ['198.41.0.4', '2606:4700:4700:0:0:0:0:1111', '10.0.0.5', 'fe80::1', '127.0.0.1'];
  const rules = { ownAddresses: () => own, ownPorts: [8443] };
  const isOpen = createAddressFilter({ allow: [], ...rules });

  it.each([80, 443, 8443])(
    "this machine's own addresses are allowed on the public port %d",
    (port) => {
      expect(isOpen('198.41.0.4', port)).toBe(true);
      expect(isOpen('2606:4700:4700::1111', port)).toBe(true);
      for (const address of ['10.0.0.5', 'fe80::1', '127.0.0.1']) {
        expect(isOpen(address, port)).toBe(false);
      }
    },
  );

  it.each([22, 3000, 8080, 9100])("this machine's own addresses are refused on port %d", (port) => {
    for (const address of own) expect(isOpen(address, port)).toBe(false);
    expect(isOpen('2606:4700:4700::1111', port)).toBe(false);
    expect(isOpen('::ffff:198.41.0.4', port)).toBe(false);
    expect(isOpen('198.41.0.5', port)).toBe(true);
  });

  it("this machine's own addresses are allowed everywhere if OUTBOUND_ALLOW names them", () => {
    expect(createAddressFilter({ allow: ['198.41.0.4'], ...rules })('198.41.0.4', 9100)).toBe(true);
  });

  it("this machine's own addresses are read each time", () => {
    const found: string[] = [];
    const isAllowedNow = createAddressFilter({ allow: [], ownAddresses: () => found });
    expect(isAllowedNow('198.41.0.4', 9100)).toBe(true);
    found.push('198.41.0.4');
    expect(isAllowedNow('198.41.0.4', 9100)).toBe(false);
  });
});

describe('parseNetworks', () => {
  it.each(['localhost', '10', '10.0.0.0/33', '::/129', '', '10.0.0.0/', 'fd00::g', '0x7f.1'])(
    'refuses %j',
    (entry) => {
      expect(() => parseNetworks(['127.0.0.0/8', entry])).toThrow(JSON.stringify(entry));
    },
  );
});
