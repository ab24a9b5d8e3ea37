import { defineJob } from '../job.ts';
import { sweepDaily } from './sweep-daily.ts';

export const sweepFilesJob = defineJob({
  name: 'sweep-files',
  // Enough for a million files on S3.
  timeoutSeconds: 6 * 3600,
  // Every start of a worker enqueues it, and it lists all files.
  onceInSeconds: 24 * 3600,
  run: (ctx, _payload, { signal }) => sweepDaily(ctx, signal),
});
