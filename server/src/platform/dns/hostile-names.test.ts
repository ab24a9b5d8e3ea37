import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, openDnsServer, type Zone } from '../../../test/hosts/dns-server.ts';
import { tickedMs } from '../../../test/ticked-ms.ts';
import { createDns } from './create-dns.ts';
import type { Dns, Lookup } from './dns.ts';

const address = '203.0.113.7';
const right = { a: [address], txt: ['token'] };
const tryMs = 250;
/** Four tries, and as much again. */
const mostMs = 8 * tryMs;

/** `0.LENGTH.example` is an alias of `1.LENGTH.example`, and so on; the last one has the records. */
function aliases(length: number): Zone {
  const zone: Zone = { [`${length}.${length}.example`]: right };
  for (let n = 0; n < length; n += 1)
    zone[`${n}.${length}.example`] = { cname: `${n + 1}.${length}.example` };
  return zone;
}

const label = 'a'.repeat(63);
/** With `_podstead.` in front of it, as long as names can be. */
const longest = ['_podstead', label, label, label, 'a'.repeat(43), 'example'].join('.');
const many = 3_000;

const zone: Zone = {
  'loop-a.example': { cname: 'loop-b.example' },
  'loop-b.example': { cname: 'loop-a.example' },
  'self.example': { cname: 'self.example' },
  'dangling.example': { cname: 'unknown.example' },
  'alias-of-broken.example': { cname: 'broken.example' },
  'broken.example': 'servfail',
  'silent.example': 'silent',
  'slow.example': { ...right, afterMs: tryMs / 3 },
  'late.example': { ...right, afterMs: 5 * tryMs },
  ...aliases(16),
  ...aliases(500),
  [longest]: right,
  'mapped.example': { aaaa: ['::ffff:cb00:7107'] },
  'many.example': {
    a: Array.from({ length: many }, (_, n) => `10.0.${n >> 8}.${n & 255}`),
    txt: Array.from({ length: many }, (_, n) => `text-${n}`),
  },
};

let server: DnsServer;
let datagramsOnly: DnsServer;
beforeAll(async () => {
  server = await openDnsServer(zone, { tcp: true });
  datagramsOnly = await openDnsServer(zone);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await datagramsOnly[Symbol.asyncDispose]();
});

const sizeOf = (lookup: Lookup) => (lookup.kind === 'found' ? lookup.values.length : lookup.kind);

async function ask(dns: Dns, name: string) {
  const lookups = Promise.all([dns.addresses(name), dns.texts(name)]);
  expect(await tickedMs(lookups)).toBeLessThan(mostMs);
  const [addresses, texts] = await lookups;
  return [sizeOf(addresses), sizeOf(texts)];
}

// DOMAIN-3: what a name's owner has set up wrongly is `nothing`; what can't be found out is `failed`.
describe('a name that is set up wrongly or with ill will', () => {
  it.each([
    ['is an alias in a circle of two', 'loop-a.example', ['nothing', 'nothing']],
    ['is an alias of itself', 'self.example', ['nothing', 'nothing']],
    ['is an alias of a name that does not exist', 'dangling.example', ['nothing', 'nothing']],
    ['is an alias of a name whose server fails', 'alias-of-broken.example', ['failed', 'failed']],
    ['begins a chain of 16 aliases', '0.16.example', [1, 1]],
    ['begins a chain of 500 aliases', '0.500.example', [1, 1]],
    ['has a server that never responds', 'silent.example', ['failed', 'failed']],
    ['has a slow server', 'slow.example', [1, 1]],
    ['has a server that responds after the limit', 'late.example', ['failed', 'failed']],
    ['has 3,000 records of each type, sent over TCP', 'many.example', [many, many]],
    ['has 253 characters', longest, [1, 1]],
    ['has a mapped IPv4 address alone', 'mapped.example', [1, 'nothing']],
    ['has a label of 64 characters', `${label}a.example`, ['failed', 'failed']],
    ['has 300 characters', `${'a.'.repeat(150)}example`, ['failed', 'failed']],
  ])('a name that %s takes a limited time', async (_, name, sizes) => {
    expect(await ask(createDns([server.address], tryMs), name)).toEqual(sizes);
  });

  it.each(['many.example', '0.16.example'])(
    'nothing is known of %s if its response is cut and the server has no TCP',
    async (name) => {
      expect(await ask(createDns([datagramsOnly.address], tryMs), name)).toEqual([
        'failed',
        'failed',
      ]);
    },
  );

  it('silent servers take no more time if there are several of them', async () => {
    await using second = await openDnsServer(zone);
    await using third = await openDnsServer(zone);
    const servers = [server, second, third].map((one) => one.address);
    const answers = await ask(createDns(servers, tryMs), 'silent.example');
    expect(answers).toEqual(['failed', 'failed']);
  });

  it('a name whose server is silent does not delay others', async () => {
    const dns = createDns([server.address], tryMs);
    const silent = Array.from({ length: 50 }, () => ask(dns, 'silent.example'));
    expect(await ask(dns, 'slow.example')).toEqual([1, 1]);
    await Promise.all(silent);
  });
});
