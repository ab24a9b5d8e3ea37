import type { Context } from '../../../foundation/context.ts';
import { defineJob } from '../../../foundation/job.ts';
import { drawWaveforms, purgeWaveforms } from './draw-waveforms.ts';
import { isDrawable } from './waveform.ts';
import { upsertTask } from './waveforms.sql.ts';

/** Draws all waveforms that are due. It runs every minute, so the next run does the rest. */
export const drawWaveformsJob = defineJob({
  name: 'draw-waveforms',
  timeoutSeconds: 3600,
  // Decoding uses a whole processor, so other work needs the rest.
  concurrency: 1,
  run: (ctx, _payload, { signal }) => drawWaveforms(ctx, signal),
});

export const purgeWaveformsJob = defineJob({
  name: 'purge-waveforms',
  timeoutSeconds: 600,
  run: (ctx) => purgeWaveforms(ctx),
});

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
  await ctx.announcements.announceWork(ctx.db, drawWaveformsJob.name);
}
