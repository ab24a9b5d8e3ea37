import { defineJob } from '../job.ts';
import { noPayload } from '../job-payload.ts';
import { purgeEvidence } from './purge-evidence.ts';

export const purgeEvidenceJob = defineJob({
  name: 'purge-download-evidence',
  payload: noPayload,
  // The next hour's run removes what this one missed.
  retries: 0,
  timeoutSeconds: 600,
  concurrency: 1,
  run: (ctx) => purgeEvidence(ctx),
});
