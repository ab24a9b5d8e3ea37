import { defineJob } from '../../foundation/job.ts';
import { notifyOfChanges } from './notify-of-changes.ts';

export const notifyOfChangesJob = defineJob({
  name: 'notify-of-changes',
  timeoutSeconds: 10 * 60,
  run: (ctx, _payload, { signal }) => notifyOfChanges(ctx, { signal }),
});
