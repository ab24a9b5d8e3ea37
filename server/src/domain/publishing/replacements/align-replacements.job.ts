import { defineJob } from '../../foundation/job.ts';
import { alignReplacements } from './align-replacements.ts';
import { purgeReplacements } from './cancel-replacement.ts';

/** Compares all proposals that are due. It runs every minute, so the next run does the rest. */
export const alignReplacementsJob = defineJob({
  name: 'align-replacements',
  timeoutSeconds: 3600,
  // Decoding uses a whole processor, so other work needs the rest.
  concurrency: 1,
  run: (ctx, _payload, { signal }) => alignReplacements(ctx, signal),
});

export const purgeReplacementsJob = defineJob({
  name: 'purge-replacements',
  timeoutSeconds: 600,
  run: (ctx) => purgeReplacements(ctx),
});
