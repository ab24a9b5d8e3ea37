import { defineJob } from '../../job.ts';
import { alignReplacements } from './align-replacements.ts';
import { purgeReplacements } from './cancel-replacement.ts';

/** Compares whatever is due. What it leaves, the next one finds: it is ordered every minute. */
export const alignReplacementsJob = defineJob({
  name: 'align-replacements',
  timeoutSeconds: 3600,
  // Decoding takes a processor; there are other things to do.
  concurrency: 1,
  run: (ctx, _payload, { signal }) => alignReplacements(ctx, signal),
});

export const purgeReplacementsJob = defineJob({
  name: 'purge-replacements',
  timeoutSeconds: 600,
  run: (ctx) => purgeReplacements(ctx),
});
