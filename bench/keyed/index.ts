import type { Bench } from '../bench.ts';
import { flatPart } from './flat.ts';
import { listPart } from './list.ts';

/** Speed of reads with a key. */
export const keyedBench: Bench = {
  name: 'keyed',
  about: 'reads with a key: what they cost beside their statements, long shows, many shows',
  parts: [listPart, flatPart],
};
