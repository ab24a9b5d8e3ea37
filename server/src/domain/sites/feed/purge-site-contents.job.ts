import { defineJob } from '../../job.ts';
import { noPayload } from '../../job-payload.ts';
import { purgeSiteContents } from './purge-site-contents.ts';

export const purgeSiteContentsJob = defineJob({
  name: 'purge-site-contents',
  payload: noPayload,
  // The next hour's run deletes what this one missed.
  retries: 0,
  timeoutSeconds: 1800,
  concurrency: 1,
  run: (ctx, _payload, { signal }) => purgeSiteContents(ctx, signal),
});
