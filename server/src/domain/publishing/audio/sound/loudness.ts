/** A recording below this level (some -66 dB) is silent: its noise is not enlarged. */
const faintest = 0.0005;

/**
 * Turns samples, in the order of time, into the loudness of equal parts of the duration. Its memory
 * depends on the number of parts alone.
 */
export class Loudness {
  readonly #durationSeconds: number;
  readonly #energy: Float64Array;
  readonly #samples: Float64Array;
  #atSeconds = 0;

  constructor(durationSeconds: number, parts: number) {
    this.#durationSeconds = durationSeconds;
    this.#energy = new Float64Array(parts);
    this.#samples = new Float64Array(parts);
  }

  /** Samples from -1 to 1, of all channels; the rate may change from piece to piece. */
  add(channels: readonly Float32Array[], sampleRateHz: number): void {
    const length = channels[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const part = this.#partAt(this.#atSeconds + from / sampleRateHz);
      const endSeconds = ((part + 1) * this.#durationSeconds) / this.#energy.length;
      const isLast = part === this.#energy.length - 1;
      const left = Math.ceil((endSeconds - this.#atSeconds) * sampleRateHz);
      const to = isLast ? length : Math.min(length, Math.max(from + 1, left));
      const energy = channels.reduce((sum, channel) => sum + energyOf(channel, from, to), 0);
      this.#energy[part] = (this.#energy[part] ?? 0) + energy;
      this.#samples[part] = (this.#samples[part] ?? 0) + (to - from) * channels.length;
      from = to;
    }
    this.#atSeconds += length / sampleRateHz;
  }

  /** 0 to 255 for each part; undefined without samples. */
  result(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#atSeconds === 0) return undefined;
    const levels = this.#energy.map((energy, part) => {
      const samples = this.#samples[part] ?? 0;
      return samples === 0 ? 0 : Math.sqrt(energy / samples);
    });
    const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
    if (loudest < faintest) return new Uint8Array(levels.length);
    return Uint8Array.from(levels, (level) => Math.round((level / loudest) * 255));
  }

  /** The recording may be a little longer than stated. */
  #partAt(seconds: number): number {
    const part = Math.floor((seconds / this.#durationSeconds) * this.#energy.length);
    return Math.min(part, this.#energy.length - 1);
  }
}

/** Damaged frames decode to any values: those outside -1 to 1 count as clipped. */
function energyOf(channel: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let index = from; index < to; index += 1) {
    const sample = channel[index] as number;
    const square = sample * sample;
    energy += square <= 1 ? square : 1;
  }
  return energy;
}
