import type { Bench } from '../bench.ts';
import { importsPart } from './imports.ts';
import { requestsPart } from './requests.ts';
import { startPart } from './start.ts';

/** The memory of a process: at its start, under load, after many imports. */
export const memoryBench: Bench = {
  name: 'memory',
  about: 'what a process takes: at its start, under load, after many imports (Linux)',
  parts: [startPart, requestsPart, importsPart],
};
