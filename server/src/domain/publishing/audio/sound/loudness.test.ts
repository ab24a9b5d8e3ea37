import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsFor } from '../waveforms/waveform.ts';
import { Loudness } from './loudness.ts';

/** A second of 1,000 Hz at each level. */
const seconds = (...levels: number[]) =>
  Float32Array.from(levels.flatMap((level) => Array<number>(1000).fill(level)));

function fold(samples: Float32Array, parts: number, durationSeconds = samples.length / 1000) {
  const loudness = new Loudness(durationSeconds, parts);
  loudness.add([samples], 1000);
  return [...(loudness.result() ?? [])];
}

describe('Loudness', () => {
  it('Loudness is 255 where it is loudest, and in proportion elsewhere', () => {
    expect(fold(seconds(0, 0.1, -0.4, 0.2), 4)).toEqual([0, 64, 255, 128]);
  });

  it('Loudness does not depend on the size of the pieces', () => {
    const samples = seconds(0.1, 0.9, 0.3, 0.7, 0.2);
    const whole = fold(samples, 7);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 })), (lengths) => {
        const loudness = new Loudness(5, 7);
        let from = 0;
        for (const length of [...lengths, samples.length]) {
          loudness.add([samples.subarray(from, from + length)], 1000);
          from = Math.min(samples.length, from + length);
        }
        expect([...(loudness.result() ?? [])]).toEqual(whole);
      }),
    );
  });

  it('reads all channels, and continues after a change of rate', () => {
    const loudness = new Loudness(2, 2);
    loudness.add([seconds(0.5), seconds(0)], 1000);
    loudness.add([seconds(0.5, 0.5), seconds(0.5, 0.5)], 2000);
    expect([...(loudness.result() ?? [])]).toEqual([180, 255]);
  });

  it('Loudness is silent at the end of a shorter recording than stated, and cuts a longer one', () => {
    expect(fold(seconds(0.5, 0.5), 4, 4)).toEqual([255, 255, 0, 0]);
    expect(fold(seconds(0.5, 0.5, 0.5, 0.1), 2, 2)).toHaveLength(2);
  });

  it('draws silence as silence, and nothing without samples', () => {
    expect(fold(seconds(0, 0.0001, 0), 3)).toEqual([0, 0, 0]);
    expect(new Loudness(3, 3).result()).toBeUndefined();
  });

  it('accepts any samples of a damaged file', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 500 }), (samples) => {
        const peaks = fold(samples, 9);
        expect(peaks).toHaveLength(9);
        for (const peak of peaks) expect(peak >= 0 && peak <= 255).toBe(true);
      }),
    );
  });
});

it.each([
  [0, 1],
  [49, 1],
  [1000, 20],
  [20_000, 400],
  [7 * 24 * 3_600_000, 400],
])('%i ms are drawn in %i parts', (durationMs, parts) => {
  expect(pointsFor(durationMs)).toBe(parts);
});
