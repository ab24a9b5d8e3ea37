import { bandCount, stepsPerDecibel } from './envelope.ts';
import type { PreparedEnvelope } from './prepared-envelope.ts';

/** Frames that differ by less than this on average are more likely the same sound than another. */
const evenDifference = 5 * stepsPerDecibel;
const greatestDifference = 15 * stepsPerDecibel;
/** The noise of a quiet room. */
const quietLevel = 10 * stepsPerDecibel;
/** How fast the difference in volume is followed: some two seconds. */
const followShare = 0.01;

/** The score of a frame that is identical in both recordings. */
export const bestScore = evenDifference;

/** Compares frames of two recordings, and follows the difference of their volumes. */
export class FrameComparison {
  readonly #old: PreparedEnvelope;
  readonly #new: PreparedEnvelope;
  readonly #bias = new Float64Array(bandCount);

  constructor(old: PreparedEnvelope, fresh: PreparedEnvelope) {
    this.#old = old;
    this.#new = fresh;
  }

  /** From now on, the volumes differ as they do in these frames. */
  measureBias(oldFrame: number, newFrame: number, frames: number): void {
    const { levels: olds } = this.#old;
    const { levels: news } = this.#new;
    for (let band = 0; band < bandCount; band += 1) {
      let sum = 0;
      let count = 0;
      for (let frame = 0; frame < frames; frame += 1) {
        const one = olds[(oldFrame + frame) * bandCount + band] as number;
        const other = news[(newFrame + frame) * bandCount + band] as number;
        if (one <= quietLevel || other <= quietLevel) continue;
        sum += other - one;
        count += 1;
      }
      this.#bias[band] = count === 0 ? 0 : sum / count;
    }
  }

  /** The average score of these frames. */
  averageScore(oldFrame: number, newFrame: number, frames: number): number {
    let sum = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      sum += this.score(oldFrame + frame, newFrame + frame);
    }
    return sum / frames;
  }

  /** Positive if the frames sound alike, negative if not, 0 if both are quiet. */
  score(oldFrame: number, newFrame: number): number {
    const { levels: olds } = this.#old;
    const { levels: news } = this.#new;
    let difference = 0;
    let isLoud = false;
    for (let band = 0; band < bandCount; band += 1) {
      const one = olds[oldFrame * bandCount + band] as number;
      const other = news[newFrame * bandCount + band] as number;
      if (one <= quietLevel && other <= quietLevel) continue;
      isLoud = true;
      difference += Math.abs(other - one - (this.#bias[band] as number));
    }
    return isLoud ? evenDifference - Math.min(greatestDifference, difference / bandCount) : 0;
  }

  /** The same, for frames one after the other: follows a slow change of volume. */
  scoreAndFollow(oldFrame: number, newFrame: number): number {
    const score = this.score(oldFrame, newFrame);
    if (score > 0) this.#follow(oldFrame, newFrame);
    return score;
  }

  #follow(oldFrame: number, newFrame: number): void {
    for (let band = 0; band < bandCount; band += 1) {
      const one = this.#old.levels[oldFrame * bandCount + band] as number;
      const other = this.#new.levels[newFrame * bandCount + band] as number;
      if (one <= quietLevel || other <= quietLevel) continue;
      const bias = this.#bias[band] as number;
      this.#bias[band] = bias + followShare * (other - one - bias);
    }
  }
}
