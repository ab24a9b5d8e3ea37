import type { Context } from '../../../foundation/context.ts';
import { drawWaveformsJob } from './draw-waveforms.job.ts';
import { isDrawable } from './waveform.ts';
import { upsertTask } from './waveforms.sql.ts';

/**
 * Queues the waveform of an episode's new audio. Call it in the transaction that sets the audio.
 */
export async function queueWaveform(
  ctx: Context,
  audio: {
    readonly episodeId: string;
    readonly sha256: string | null;
    readonly contentType: string;
  },
): Promise<void> {
  const { episodeId, sha256, contentType } = audio;
  // Audio at another host has no hash.
  if (sha256 === null || !isDrawable(contentType)) return;
  await upsertTask(ctx.db, { sha256, episodeId }, ctx.clock.now());
  await ctx.changes.announceWork(ctx.db, drawWaveformsJob.name);
}
