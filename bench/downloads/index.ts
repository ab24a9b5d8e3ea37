import type { Bench } from '../bench.ts';
import { killsPart } from './kills.ts';
import { pipelinePart } from './pipeline.ts';

/** What counting promises. */
export const downloadsBench: Bench = {
  name: 'downloads',
  about: 'counting downloads, and reading them',
  parts: [pipelinePart, killsPart],
};
