import { expect, it } from 'vitest';
import { openDnsServer } from '../../../test/hosts/dns-server.ts';
import { createDns } from './create-dns.ts';

it('finds all addresses of a name, and its texts in one piece', async () => {
  const long = 'x'.repeat(300);
  await using server = await openDnsServer({
    'pod.example': { a: ['203.0.113.7', '203.0.113.8'], aaaa: ['2001:db8::7'] },
    '_podstead.pod.example': { txt: ['podstead-abc', long] },
    'v4.example': { a: ['203.0.113.7'] },
    'empty.example': {},
  });
  const dns = createDns([server.address]);
  expect(await dns.addresses('pod.example')).toEqual({
    kind: 'found',
    values: ['203.0.113.7', '203.0.113.8', '2001:db8::7'],
  });
  expect(await dns.texts('_podstead.pod.example')).toEqual({
    kind: 'found',
    values: ['podstead-abc', long],
  });
  expect(await dns.addresses('v4.example')).toEqual({ kind: 'found', values: ['203.0.113.7'] });
  for (const absent of ['empty.example', 'unknown.example']) {
    expect(await dns.addresses(absent)).toEqual({ kind: 'nothing' });
    expect(await dns.texts(absent)).toEqual({ kind: 'nothing' });
  }
});

// DOMAIN-3
it('says of a server that fails, sends garbage or nothing that it has failed', async () => {
  await using server = await openDnsServer({
    'a.example': 'servfail',
    'b.example': 'garbage',
    'c.example': 'silent',
  });
  const dns = createDns([server.address], 100);
  for (const name of ['a.example', 'b.example', 'c.example']) {
    expect(await dns.addresses(name), name).toEqual({ kind: 'failed' });
    expect(await dns.texts(name), name).toEqual({ kind: 'failed' });
  }
});

it('asks again each time, whatever the lifetime of a record is', async () => {
  await using server = await openDnsServer({ 'pod.example': { a: ['203.0.113.7'] } });
  const dns = createDns([server.address]);
  expect(await dns.addresses('pod.example')).toMatchObject({ values: ['203.0.113.7'] });
  server.zone['pod.example'] = { a: ['203.0.113.8'] };
  expect(await dns.addresses('pod.example')).toMatchObject({ values: ['203.0.113.8'] });
});
