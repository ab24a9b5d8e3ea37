import { defineJob } from '../job.ts';
import { mergeTextSums, purgeWritten } from './storage.sql.ts';

const podcastsAtOnce = 10_000;

/** Each change of a text and each file has a row: without this, every check would add up more of them. */
export const mergeTextSumsJob = defineJob({
  name: 'merge-text-sums',
  timeoutSeconds: 50,
  async run({ db }) {
    await mergeTextSums(db, podcastsAtOnce);
    await purgeWritten(db);
  },
});
