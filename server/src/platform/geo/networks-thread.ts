import { serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { writeCacheFile } from '../files/cache-file.ts';
import type { NetworksThreadData } from './load-network-table.ts';
import { readNetworks } from './read-networks.ts';

/** A thread that reads these files, transfers and caches the result, and ends. */
const { cacheFile, ...paths } = workerData as NetworksThreadData;
const data = readNetworks(paths);
// The transfer empties `data`.
const content = serialize(data);
const { ranges, numbers, nameOffsets, names } = data;
const arrays = ranges.flatMap(({ starts, ends, owners }) => [starts, ends, owners]);
parentPort?.postMessage(
  data,
  [...arrays, numbers, nameOffsets, names].map(({ buffer }) => buffer),
);
// Nobody waits for the disk. If the result cannot be cached, each process reads the package.
await writeCacheFile(cacheFile, content).catch(() => undefined);
