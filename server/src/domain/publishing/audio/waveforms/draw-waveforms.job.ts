import { defineJob } from '../../../foundation/job.ts';
import { drawWaveforms, purgeWaveforms } from './draw-waveforms.ts';

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
