import type { Bench } from '../bench.ts';
import { pingsPart } from './pings.ts';

/** What connected sites cost. */
export const sitesBench: Bench = {
  name: 'sites',
  about: 'connected sites: their pings',
  parts: [pingsPart],
};
