import type { Bench } from '../bench.ts';
import { countingPart } from './counting.ts';
import { handedOverPart } from './handed-over.ts';
import { killsPart } from './kills.ts';
import { listenersPart } from './listeners.ts';
import { mediaPart } from './media.ts';
import { pipelinePart } from './pipeline.ts';
import { readsPart } from './reads.ts';

/** Speed and exactness of counting. */
export const downloadsBench: Bench = {
  name: 'downloads',
  about: 'counting downloads, and reading them',
  parts: [
    pipelinePart,
    killsPart,
    readsPart,
    countingPart,
    listenersPart,
    mediaPart,
    handedOverPart,
  ],
};
