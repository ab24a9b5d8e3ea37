import type { Context } from '../../context.ts';
import { drawWaveformsJob } from './draw-waveforms.job.ts';
import { isDrawable } from './waveform.ts';
import { upsertOrder } from './waveforms.sql.ts';

/** In the transaction that gives an episode its audio: drawn when, and only if, that commits. */
export async function orderWaveform(
  ctx: Context,
  { sha256, contentType }: { readonly sha256: string | null; readonly contentType: string },
): Promise<void> {
  // Audio that stands elsewhere has no hash.
  if (sha256 === null || !isDrawable(contentType)) return;
  await upsertOrder(ctx.db, sha256, ctx.clock.now());
  await ctx.changes.announceWork(ctx.db, drawWaveformsJob.name);
}
