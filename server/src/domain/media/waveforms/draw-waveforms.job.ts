import Type from 'typebox';
import { defineJob } from '../../job.ts';
import { drawWaveforms, forgetWaveforms } from './draw-waveforms.ts';

/** Draws whatever is due. What it leaves, the next one finds: it is ordered every minute. */
export const drawWaveformsJob = defineJob({
  name: 'draw-waveforms',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 3600,
  // Decoding takes a processor; there are other things to do.
  concurrency: 1,
  run: (ctx, _payload, { signal }) => drawWaveforms(ctx, signal),
});

export const forgetWaveformsJob = defineJob({
  name: 'forget-waveforms',
  payload: Type.Object({}),
  retries: 0,
  timeoutSeconds: 600,
  concurrency: 1,
  run: (ctx) => forgetWaveforms(ctx),
});
