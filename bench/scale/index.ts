import type { Bench } from '../bench.ts';
import { jobsPart } from './jobs.ts';
import { readsPart } from './reads.ts';

/** Whether anything grows with the number of shows. */
export const scaleBench: Bench = {
  name: 'scale',
  about: 'a network of SCALE_SHOWS (10,000) on PostgreSQL: start, screens, lists, pages, jobs',
  parts: [readsPart, jobsPart],
};
