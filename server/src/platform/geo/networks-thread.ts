import { parentPort, workerData } from 'node:worker_threads';
import { readNetworks } from './read-networks.ts';

/** A thread that reads these files, transfers the result and ends. */
const data = readNetworks(workerData as { ipv4: string; ipv6: string });
const { ranges, numbers, nameOffsets, names } = data;
const arrays = ranges.flatMap(({ starts, ends, owners }) => [starts, ends, owners]);
parentPort?.postMessage(
  data,
  [...arrays, numbers, nameOffsets, names].map(({ buffer }) => buffer),
);
