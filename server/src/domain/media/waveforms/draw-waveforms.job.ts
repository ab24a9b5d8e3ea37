import { defineJob } from '../../job.ts';
import { drawWaveforms, purgeWaveforms } from './draw-waveforms.ts';

/** Draws whatever is due. What it leaves, the next one finds: it is ordered every minute. */
export const drawWaveformsJob = defineJob({
  name: 'draw-waveforms',
  timeoutSeconds: 3600,
  // Decoding takes a processor; there are other things to do.
  concurrency: 1,
  run: (ctx, _payload, { signal }) => drawWaveforms(ctx, signal),
});

export const purgeWaveformsJob = defineJob({
  name: 'purge-waveforms',
  timeoutSeconds: 600,
  run: (ctx) => purgeWaveforms(ctx),
});
