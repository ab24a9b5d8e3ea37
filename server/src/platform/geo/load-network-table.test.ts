import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadNetworkTable } from './load-network-table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-networks-'));
});
afterAll(() => rm(folder, { recursive: true }));

const addresses = ['8.8.8.8', '1.1.1.1', '10.0.0.1', '2001:4860:4860::8888', '::1'];

async function findAll(cacheFolder: string) {
  const table = await loadNetworkTable(cacheFolder);
  return addresses.map((ip) => table.find(Uint8Array.from(ipaddr.parse(ip).toByteArray())));
}

it('finds the same in the package and in the cached result', async () => {
  const cache = join(folder, 'cache');
  const first = await findAll(cache);
  expect(first[0]).toBe('AS15169 Google LLC');
  // The thread writes the cache after its response; a partial file has a longer name.
  await expect.poll(() => readdir(cache)).toEqual([expect.stringMatching(/^networks-\w+$/)]);
  expect(await findAll(cache)).toEqual(first);
});

it('reads the package if nothing can be cached', async () => {
  // A file cannot hold another one. The thread tries it after its response, so it must stay.
  expect((await findAll(process.execPath))[0]).toBe('AS15169 Google LLC');
});
