import type { Bench } from '../bench.ts';
import { killsPart } from './kills.ts';

/** Faults of processes, networks, disks and clocks, while clients keep what was promised to them. */
export const faultsBench: Bench = {
  name: 'faults',
  about: 'kills, networks, disks and clocks that fail under all kinds of writes: nothing acknowledged is lost',
  parts: [killsPart],
};
