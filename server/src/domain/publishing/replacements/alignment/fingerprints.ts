import { bandCount, stepsPerDecibel } from './envelope.ts';
import type { PreparedEnvelope } from './prepared-envelope.ts';

const stepFrames = 10;
const stepCount = 10;
/** A fingerprint describes the two seconds that begin with its frame. */
export const fingerprintFrames = stepFrames * stepCount + stepFrames;
const smoothFrames = 8;
/** Another encoding may not keep a smaller change. */
const leastChange = 2 * stepsPerDecibel * smoothFrames;
/** With fewer changes above that, it is a tone or silence, which has no fingerprint. */
const leastChanges = 24;

/** No fingerprint, because too little changes. */
export const noFingerprint = -1;

/**
 * For each frame, a number of 40 bits: whether each band becomes louder or fainter, ten times. It
 * does not depend on volume and tone. Frames near the end have none.
 */
export function fingerprintsOf(envelope: PreparedEnvelope): Float64Array {
  const sums = smoothLevels(envelope);
  const { frames } = envelope;
  const fingerprints = new Float64Array(frames).fill(noFingerprint);
  for (let frame = 0; frame + fingerprintFrames <= frames; frame += 1) {
    let bits = 0;
    let changes = 0;
    for (let step = 0; step < stepCount; step += 1) {
      const at = (frame + step * stepFrames) * bandCount;
      for (let band = 0; band < bandCount; band += 1) {
        const change =
          (sums[at + stepFrames * bandCount + band] as number) - (sums[at + band] as number);
        bits = bits * 2 + (change > 0 ? 1 : 0);
        if (change > leastChange || change < -leastChange) changes += 1;
      }
    }
    if (changes >= leastChanges) fingerprints[frame] = bits;
  }
  return fingerprints;
}

/** The sum of the levels of this frame and the next seven, for each band. */
function smoothLevels({ frames, levels }: PreparedEnvelope): Uint16Array {
  const sums = new Uint16Array(frames * bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    let sum = 0;
    for (let frame = frames - 1; frame >= 0; frame -= 1) {
      sum += levels[frame * bandCount + band] as number;
      if (frame + smoothFrames < frames) {
        sum -= levels[(frame + smoothFrames) * bandCount + band] as number;
      }
      sums[frame * bandCount + band] = sum;
    }
  }
  return sums;
}
