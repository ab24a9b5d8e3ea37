import type { Bench } from '../bench.ts';
import { feedPart } from './feed.ts';
import { pagesPart } from './pages.ts';
import { startPart } from './start.ts';
import { throughputPart } from './throughput.ts';

/** What the keyless surface promises. */
export const publicBench: Bench = {
  name: 'public',
  about: 'the public API: cached answers, long shows, feeds, starting',
  parts: [throughputPart, pagesPart, feedPart, startPart],
};
