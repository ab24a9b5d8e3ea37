import type { Bench } from '../bench.ts';
import { listPart } from './list.ts';
import { screensPart } from './screens.ts';

/** Load and response times of the dashboard. */
export const dashboardBench: Bench = {
  name: 'dashboard',
  about: 'the dashboard in Chromium: what its screens load, how soon they respond, long lists',
  parts: [screensPart, listPart],
};
