import Type from 'typebox';
import { defineJob } from '../job.ts';
import { forgetEnded } from './forget-ended.ts';

export const forgetEndedJob = defineJob({
  name: 'forget-ended',
  payload: Type.Object({}),
  // The next hour's does what this one did not.
  retries: 0,
  timeoutSeconds: 300,
  concurrency: 1,
  run: (ctx) => forgetEnded(ctx),
});
