import { describe, expect, it } from 'vitest';
import { hosts, nameServers } from './setting-texts.ts';

describe('DOMAIN_TARGET', () => {
  it('lists host names and addresses, each in its one spelling', () => {
    expect(hosts('Pods.Example.com, 203.0.113.7,2001:DB8:0::7')).toEqual([
      'pods.example.com',
      '203.0.113.7',
      '2001:db8::7',
    ]);
  });

  it.each(['', 'pods', 'pods.example.com:443', 'https://pods.example.com', 'a.example,,b.example'])(
    'DOMAIN_TARGET may not be %j',
    (text) => expect(() => hosts(text)).toThrow('must list host names or IP addresses'),
  );
});

describe('DNS_SERVERS', () => {
  it('lists addresses, with port 53 unless another is given', () => {
    expect(nameServers('192.0.2.53:5353, 192.0.2.54,[2001:db8::53]:54,2001:db8::53')).toEqual([
      '192.0.2.53:5353',
      '192.0.2.54:53',
      '[2001:db8::53]:54',
      '[2001:db8::53]:53',
    ]);
  });

  it.each(['', 'dns.example', '192.0.2.53:0', '192.0.2.53:65536', '192.0.2', '[192.0.2.53'])(
    'DNS_SERVERS may not be %j',
    (text) => expect(() => nameServers(text)).toThrow('must list IP addresses with ports'),
  );
});
