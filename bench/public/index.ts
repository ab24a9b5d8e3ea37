import type { Bench } from '../bench.ts';
import { cardsPart } from './cards.ts';
import { feedPart } from './feed.ts';
import { mediaPart } from './media.ts';
import { pagesPart } from './pages.ts';
import { refusalsPart } from './refusals.ts';
import { startPart } from './start.ts';
import { statementsPart } from './statements.ts';
import { throughputPart } from './throughput.ts';

/** Speed of the routes without a key. */
export const publicBench: Bench = {
  name: 'public',
  about: 'the public API: cached responses, long shows, feeds, audio, starting, cards',
  parts: [
    throughputPart,
    pagesPart,
    feedPart,
    mediaPart,
    refusalsPart,
    statementsPart,
    startPart,
    cardsPart,
  ],
};
