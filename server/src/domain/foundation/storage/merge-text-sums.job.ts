import { defineJob } from '../job.ts';
import { mergeTextSums } from './storage.sql.ts';

const podcastsAtOnce = 10_000;

/** Each change of a text notes by how much: without this, every check would add up more rows. */
export const mergeTextSumsJob = defineJob({
  name: 'merge-text-sums',
  timeoutSeconds: 50,
  run: ({ db }) => mergeTextSums(db, podcastsAtOnce),
});
