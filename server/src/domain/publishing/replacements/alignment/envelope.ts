/** Frames of an envelope in a second of sound. */
export const framesPerSecond = 50;
export const bandCount = 4;
/** The bands' limits. Low bit rates keep little above the last one. */
const band1Hz = 300;
const band2Hz = 900;
const band3Hz = 2500;
/** Speech is far louder below this than above: without it, all bands would follow the lowest. */
const emphasisHz = 1000;
const emphasis = 0.9;

/** Steps of a level in a decibel; level 0 is silence, 255 the loudest possible sound. */
export const stepsPerDecibel = 2.5;
const faintestDecibels = -100;

/**
 * How loud a recording is over time, in four bands of frequency. Two encodings of a recording have
 * almost the same envelope.
 */
export interface Envelope {
  readonly frames: number;
  /** `bandCount` levels for each frame, one frame after the other. */
  readonly levels: Uint8Array;
}

const chunkFrames = 30_000;

/** Turns samples, in the order of time, into an envelope: 200 bytes for each second. */
export class EnvelopeBuilder {
  readonly #full: Uint8Array[] = [];
  #levels = new Uint8Array(chunkFrames * bandCount);
  #frames = 0;
  #filters = new BandFilters(0);
  /** The samples of the current frame so far, and the number that it will have. */
  #samples = 0;
  #due = 0;
  #sampleRateHz = 0;

  /** Samples from -1 to 1; the rate may change from piece to piece. */
  add(channels: readonly Float32Array[], sampleRateHz: number): void {
    if (sampleRateHz !== this.#sampleRateHz) this.#changeRate(sampleRateHz);
    const length = channels[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + Math.max(1, Math.ceil(this.#due - this.#samples)));
      this.#filters.add(channels, from, to);
      this.#samples += to - from;
      from = to;
      if (this.#samples >= this.#due) this.#endFrame();
    }
  }

  result(): Envelope {
    const all = new Uint8Array(
      this.#full.length * chunkFrames * bandCount + this.#frames * bandCount,
    );
    for (const [index, chunk] of this.#full.entries()) {
      all.set(chunk, index * chunkFrames * bandCount);
    }
    all.set(
      this.#levels.subarray(0, this.#frames * bandCount),
      this.#full.length * chunkFrames * bandCount,
    );
    return { frames: all.length / bandCount, levels: all };
  }

  #changeRate(sampleRateHz: number): void {
    this.#sampleRateHz = sampleRateHz;
    this.#filters = new BandFilters(sampleRateHz);
    this.#samples = 0;
    this.#due = sampleRateHz / framesPerSecond;
  }

  #endFrame(): void {
    this.#filters.takeLevels(this.#samples, this.#levels, this.#frames * bandCount);
    this.#frames += 1;
    // A frame's length is not a whole number of samples; the next one makes up for the rest.
    this.#due = this.#due - this.#samples + this.#sampleRateHz / framesPerSecond;
    this.#samples = 0;
    if (this.#frames < chunkFrames) return;
    this.#full.push(this.#levels);
    this.#levels = new Uint8Array(chunkFrames * bandCount);
    this.#frames = 0;
  }
}

/** Four bands, cut by low passes of the second order. */
class BandFilters {
  readonly #share: readonly [number, number, number, number];
  readonly #state = new Float64Array(7);
  readonly #energy = new Float64Array(bandCount);

  constructor(sampleRateHz: number) {
    const share = (hz: number) => 1 - Math.exp((-2 * Math.PI * hz) / sampleRateHz);
    this.#share = [share(emphasisHz), share(band1Hz), share(band2Hz), share(band3Hz)];
  }

  add(channels: readonly Float32Array[], from: number, to: number): void {
    const [left, right = left] = channels;
    if (left === undefined || right === undefined) return;
    const [toneShare, share1, share2, share3] = this.#share;
    let [tone = 0, low1 = 0, low1b = 0, low2 = 0, low2b = 0, low3 = 0, low3b = 0] = this.#state;
    let [energy0 = 0, energy1 = 0, energy2 = 0, energy3 = 0] = this.#energy;
    for (let index = from; index < to; index += 1) {
      const sample = inRange(((left[index] as number) + (right[index] as number)) / 2);
      tone += toneShare * (sample - tone);
      const bright = sample - emphasis * tone;
      low1 += share1 * (bright - low1);
      low1b += share1 * (low1 - low1b);
      low2 += share2 * (bright - low2);
      low2b += share2 * (low2 - low2b);
      low3 += share3 * (bright - low3);
      low3b += share3 * (low3 - low3b);
      energy0 += low1b * low1b;
      energy1 += (low2b - low1b) * (low2b - low1b);
      energy2 += (low3b - low2b) * (low3b - low2b);
      energy3 += (bright - low3b) * (bright - low3b);
    }
    this.#state.set([tone, low1, low1b, low2, low2b, low3, low3b]);
    this.#energy.set([energy0, energy1, energy2, energy3]);
  }

  takeLevels(samples: number, into: Uint8Array, at: number): void {
    for (let band = 0; band < bandCount; band += 1) {
      into[at + band] = levelOf((this.#energy[band] as number) / samples);
    }
    this.#energy.fill(0);
  }
}

/** Damaged frames decode to any values, also to NaN or far too loud ones. */
function inRange(sample: number): number {
  return sample >= -1 && sample <= 1 ? sample : sample > 0 ? 1 : sample < 0 ? -1 : 0;
}

function levelOf(power: number): number {
  const decibels = 10 * Math.log10(power + 1e-12);
  const level = Math.round((decibels - faintestDecibels) * stepsPerDecibel);
  return Math.max(0, Math.min(255, level));
}
