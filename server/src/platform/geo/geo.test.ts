import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../log/log.ts';
import { createGeo } from './create-geo.ts';
import { NetworkTable } from './network-table.ts';
import { readNetworks } from './read-networks.ts';

const bytes = (ip: string) => Uint8Array.from(ipaddr.parse(ip).toByteArray());

describe('networks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-networks-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const lines = (...rows: string[]) => write('ipv4.csv', rows.join('\n'));
  const table = new NetworkTable(
    readNetworks({
      ipv4: lines(
        `${0x0a000000},${0x0a0000ff},64500,Plain`,
        `${0x0a000100},${0x0a0001ff},64501,"Commas, ""quoted"""`,
        `${0xc0000200},${0xffffffff},64500,Plain`,
      ),
      ipv6: write(
        'ipv6.csv',
        `${0x20010db8n << 96n},${(0x20010db8n << 96n) + 5n},4294967294,Grüße\n`,
      ),
    }),
  );

  it.each([
    ['9.255.255.255', null],
    ['10.0.0.0', 'AS64500 Plain'],
    ['10.0.0.255', 'AS64500 Plain'],
    ['10.0.1.0', 'AS64501 Commas, "quoted"'],
    ['10.0.2.0', null],
    ['255.255.255.255', 'AS64500 Plain'],
    ['2001:db8::', 'AS4294967294 Grüße'],
    ['2001:db8::5', 'AS4294967294 Grüße'],
    ['2001:db8::6', null],
    ['::1', null],
  ])('%s: %s', (ip, network) => {
    expect(table.find(bytes(ip))).toBe(network);
  });
});

describe('places', () => {
  const geo = createGeo(createLog('silent'));

  it.each([
    ['8.8.8.8', 'US', 'AS15169 Google LLC'],
    ['::ffff:8.8.8.8', 'US', 'AS15169 Google LLC'],
    ['2001:4860:4860::8888', 'US', 'AS15169 Google LLC'],
    ['1.1.1.1', 'AU', 'AS13335 Cloudflare, Inc.'],
    ['10.0.0.1', null, null],
    ['127.0.0.1', null, null],
    ['::1', null, null],
    ['fe80::1', null, null],
    ['not an address', null, null],
    ['', null, null],
  ])('the place of %s is unknown or as in the data', async (ip, country, network) => {
    expect(await geo.locate(ip)).toEqual({ country, network });
  });

  // Checks both ends of every 997th range, read from the readable edition of the same data.
  it.each(['ipv4', 'ipv6'])(
    'places of all kinds of %s addresses equal those in the data',
    async (kind) => {
      const file = import.meta.resolve(`@ip-location-db/asn/asn-${kind}.csv`);
      const rows = createInterface({ input: createReadStream(fileURLToPath(file)) });
      let row = 0;
      for await (const line of rows) {
        row += 1;
        if (row % 997 !== 1) continue;
        const [start = '', end = '', number = ''] = line.split(',');
        for (const ip of [start, end]) {
          const { network } = await geo.locate(ip);
          expect(network?.split(' ')[0], `${ip} in ${kind}`).toBe(`AS${number}`);
        }
      }
      expect(row).toBeGreaterThan(100_000);
    },
  );
});
