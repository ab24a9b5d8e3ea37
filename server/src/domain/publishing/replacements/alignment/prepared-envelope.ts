import { bandCount, type Envelope, stepsPerDecibel } from './envelope.ts';

/** A level that is below the loud parts by more than this counts as silence. */
const depth = 48 * stepsPerDecibel;
const headroom = 10 * stepsPerDecibel;
const loudShare = 0.95;

/** An envelope without its overall volume and tone, smoothed a little: 60 ms. */
export interface PreparedEnvelope {
  readonly frames: number;
  /** `bandCount` levels for each frame, in the steps of an envelope; 0 is silence. */
  readonly levels: Uint8Array;
}

/** Two frame grids differ by up to half a frame: smoothing makes them comparable. */
export function prepareEnvelope({ frames, levels }: Envelope): PreparedEnvelope {
  const prepared = new Uint8Array(frames * bandCount);
  for (let band = 0; band < bandCount; band += 1) {
    const floor = loudLevel(levels, band) - depth;
    const at = (frame: number) => {
      const inside = frame < 0 ? 0 : frame >= frames ? frames - 1 : frame;
      const above = (levels[inside * bandCount + band] as number) - floor;
      return above < 0 ? 0 : above > depth + headroom ? depth + headroom : above;
    };
    for (let frame = 0; frame < frames; frame += 1) {
      prepared[frame * bandCount + band] = (at(frame - 1) + 2 * at(frame) + at(frame + 1)) / 4;
    }
  }
  return { frames, levels: prepared };
}

/** The level that 5 % of the frames of this band exceed. */
function loudLevel(levels: Uint8Array, band: number): number {
  const counts = new Uint32Array(256);
  for (let at = band; at < levels.length; at += bandCount) {
    const level = levels[at] as number;
    counts[level] = (counts[level] as number) + 1;
  }
  const loud = (levels.length / bandCount) * loudShare;
  let passed = 0;
  for (let level = 0; level < 256; level += 1) {
    passed += counts[level] as number;
    if (passed >= loud) return level;
  }
  return 255;
}
