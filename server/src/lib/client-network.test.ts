import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockOfNetwork,
  clientNetwork,
  clientSite,
  limitsOfNetwork,
  regionOfBlock,
} from './client-network.ts';

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['0.0.0.0', '0.0.0.0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001::', '2001:db8:0:1::/64'],
    ['2001:db8:0:1::9', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%25eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['::ffff:0:203.0.113.7', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('%s → %s', (address, expected) => {
    expect(clientNetwork(address)).toBe(expected);
  });

  it.each([
    '',
    'unknown',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.7:443',
    '0203.0.113.7',
    '[2001:db8::1]',
    '2001:db8::1::2',
    '2001:db8',
    '::ffff:1.2.3',
    ':',
    'x'.repeat(100_000),
    ':'.repeat(100_000),
  ])('maps an invalid address (%#) to unknown', (address) => {
    expect(clientNetwork(address)).toBe('unknown');
  });

  // LIM-2
  it('distinguishes networks, and nothing within one', () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((number) => number.toString(16));
    const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        expect(clientNetwork(`${network}:${one}`)).toBe(`${network}::/64`);
        expect(clientNetwork(`${network}:${other}`.toUpperCase())).toBe(`${network}::/64`);
      }),
    );
  });
});

describe('clientSite', () => {
  it.each([
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:1:2::3', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['localhost', 'unknown'],
  ])('%s → %s', (address, expected) => {
    expect(clientSite(address)).toBe(expected);
  });
});

describe('blockOfNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['unknown', 'unknown'],
  ])('%s → %s', (network, expected) => {
    expect(blockOfNetwork(network)).toBe(expected);
  });
});

describe('regionOfBlock', () => {
  it.each([
    ['203.0.113.0/24', '203.0.0.0/16'],
    ['2001:db8:1::/48', '2001:db8::/32'],
    ['0:0:0::/48', '0:0::/32'],
    ['unknown', 'unknown'],
    ['0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0', '0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0'],
  ])('%s → %s', (block, expected) => {
    expect(regionOfBlock(block)).toBe(expected);
  });
});

describe('limitsOfNetwork', () => {
  it('an IPv6 network has the limit, and the /48 that it is in has ten times as much', () => {
    expect(limitsOfNetwork(clientNetwork('2001:DB8:1:2::3'), 30)).toEqual([
      { key: '2001:db8:1:2::/64', most: 30 },
      { key: '2001:db8:1::/48', most: 300 },
    ]);
  });

  it.each(['203.0.113.7', 'unknown', ''])('%s has no other limit than its own', (network) => {
    expect(limitsOfNetwork(network, 30)).toEqual([{ key: network, most: 30 }]);
  });
});
