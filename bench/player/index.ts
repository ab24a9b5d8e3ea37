import type { Bench } from '../bench.ts';
import { pagePart } from './page.ts';

/** The cost of the player for a page. */
export const playerBench: Bench = {
  name: 'player',
  about: 'the web component beside plyr and media-chrome',
  parts: [pagePart],
};
