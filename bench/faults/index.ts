import type { Bench } from '../bench.ts';
import { clockPart } from './clock.ts';
import { diskPart } from './disk.ts';
import { killsPart } from './kills.ts';
import { networkPart } from './network.ts';

/** Faults of processes, networks, disks and clocks, while clients keep what was promised to them. */
export const faultsBench: Bench = {
  name: 'faults',
  about:
    'kills, networks, disks and clocks that fail under all kinds of writes: nothing acknowledged is lost',
  parts: [killsPart, networkPart, diskPart, clockPart],
};
