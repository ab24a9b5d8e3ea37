import { defineJob } from '../job.ts';
import { purgeEnded } from './purge-ended.ts';

export const purgeEndedJob = defineJob({
  name: 'purge-ended',
  timeoutSeconds: 300,
  run: (ctx) => purgeEnded(ctx),
});
