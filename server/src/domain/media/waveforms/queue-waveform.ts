import type { Context } from '../../context.ts';
import { drawWaveformsJob } from './draw-waveforms.job.ts';
import { isDrawable } from './waveform.ts';
import { upsertTask } from './waveforms.sql.ts';

/**
 * Queues the waveform of an episode's new audio. Call it in the transaction that sets the audio.
 */
export async function queueWaveform(
  ctx: Context,
  { sha256, contentType }: { readonly sha256: string | null; readonly contentType: string },
): Promise<void> {
  // Audio at another host has no hash.
  if (sha256 === null || !isDrawable(contentType)) return;
  await upsertTask(ctx.db, sha256, ctx.clock.now());
  await ctx.changes.announceWork(ctx.db, drawWaveformsJob.name);
}
