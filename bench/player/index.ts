import type { Bench } from '../bench.ts';
import { pagePart } from './page.ts';

/** What the player costs those who put it on their page. */
export const playerBench: Bench = {
  name: 'player',
  about: 'the web component beside plyr and media-chrome',
  parts: [pagePart],
};
