import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { cacheFilePath, readCacheFile } from '../files/cache-file.ts';
import { type NetworkData, NetworkTable } from './network-table.ts';

/** The files that the thread reads, and the file for its result. */
export interface NetworksThreadData {
  readonly ipv4: string;
  readonly ipv6: string;
  readonly cacheFile: string;
}

// Increase it when NetworkData changes.
const formatVersion = 1;

const files = {
  about: fileURLToPath(import.meta.resolve('@ip-location-db/asn/package.json')),
  ipv4: fileURLToPath(import.meta.resolve('@ip-location-db/asn/asn-ipv4-num.csv')),
  ipv6: fileURLToPath(import.meta.resolve('@ip-location-db/asn/asn-ipv6-num.csv')),
};

/** Loads the result that an earlier process has cached, or else reads the package. */
export async function loadNetworkTable(cacheFolder?: string): Promise<NetworkTable> {
  const { version } = JSON.parse(await readFile(files.about, 'utf8'));
  const file = networksCachePath(version, cacheFolder);
  const cached = await readCacheFile(file);
  if (cached !== undefined) return new NetworkTable(deserialize(cached) as NetworkData);
  return await readPackage(file);
}

/** Where the result from this version of the package is cached. */
export function networksCachePath(version: string, cacheFolder?: string): string {
  return cacheFilePath('networks', [formatVersion, version], cacheFolder);
}

/** Reads the package in a thread, because that takes a second. */
async function readPackage(file: string): Promise<NetworkTable> {
  const thread = new Worker(new URL('./networks-thread.ts', import.meta.url), {
    // Millions of temporary strings would otherwise enlarge this process permanently.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
    workerData: {
      ipv4: files.ipv4,
      ipv6: files.ipv6,
      cacheFile: file,
    } satisfies NetworksThreadData,
  });
  thread.unref();
  const [data] = (await once(thread, 'message')) as [NetworkData];
  return new NetworkTable(data);
}
