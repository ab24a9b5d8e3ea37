import type { Bench } from '../bench.ts';
import { cataloguePart } from './catalogue.ts';
import { pingsPart } from './pings.ts';
import { pollPart } from './poll.ts';

/** The cost of connected sites. */
export const sitesBench: Bench = {
  name: 'sites',
  about: 'connected sites: their feeds and pings',
  parts: [cataloguePart, pollPart, pingsPart],
};
