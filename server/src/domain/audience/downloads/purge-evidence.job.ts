import { defineJob } from '../../foundation/job.ts';
import { purgeEvidence } from './purge-evidence.ts';

export const purgeEvidenceJob = defineJob({
  name: 'purge-download-evidence',
  timeoutSeconds: 600,
  run: (ctx) => purgeEvidence(ctx),
});
