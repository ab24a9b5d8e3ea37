import type { Bench } from '../bench.ts';
import { hubPart } from './hub.ts';
import { publicationsPart } from './publications.ts';

/** The cost of telling others that feeds have changed. */
export const notificationsBench: Bench = {
  name: 'notifications',
  about: 'directories and hubs that learn of new episodes',
  parts: [publicationsPart],
};

/** The cost of our own WebSub hub. */
export const hubBench: Bench = {
  name: 'hub',
  about: 'subscribers of feeds, by WebSub',
  parts: [hubPart],
};
