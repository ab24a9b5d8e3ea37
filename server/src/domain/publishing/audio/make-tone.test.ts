import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MPEGDecoder } from 'mpg123-decoder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTone, toneFacts } from './make-tone.ts';
import { readAudioFile } from './read-audio-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tone-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Amplitude of one frequency (Hz) in 24 kHz samples. */
function amplitudeAt(samples: Float32Array, hertz: number): number {
  let real = 0;
  let imaginary = 0;
  const step = (2 * Math.PI * hertz) / 24_000;
  for (const [index, value] of samples.entries()) {
    real += value * Math.cos(step * index);
    imaginary += value * Math.sin(step * index);
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}

describe('a tone, when it is decoded', () => {
  it('a tone, when it is decoded is a steady, audible sine of the requested length', async () => {
    const decoder = new MPEGDecoder();
    await decoder.ready;
    const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(
      await buffer(makeTone(3)),
    );
    decoder.free();
    expect(errors).toEqual([]);
    expect(samplesDecoded / sampleRate).toBe(3);

    const steady = channelData[0]!.subarray(2400);
    const loudness = [...Array(6).keys()].map((part) => {
      const piece = steady.subarray(part * 11_520, part * 11_520 + 11_520);
      return Math.sqrt(piece.reduce((sum, value) => sum + value * value, 0) / piece.length);
    });
    for (const rms of loudness) expect(rms).toBeCloseTo(0.125, 2);

    // All frequencies with whole cycles in one frame (576 samples).
    const piece = steady.subarray(0, 576 * 40);
    const spectrum = [...Array(287).keys()].map((index) => {
      const hertz = ((index + 1) * 24_000) / 576;
      return { hertz, amplitude: amplitudeAt(piece, hertz) };
    });
    const [first, second] = spectrum.sort((one, other) => other.amplitude - one.amplitude);
    expect(first!.hertz).toBeCloseTo(583.3, 1);
    expect(first!.amplitude).toBeGreaterThan(500 * second!.amplitude);
  });
});

describe('a tone that swells', () => {
  it('a tone that swells is quieter by the given steps, and as long as a steady one', async () => {
    const steady = Buffer.concat(await makeTone(4).toArray());
    const swelling = Buffer.concat(await makeTone(4, (at) => (at < 2 ? 0 : 8)).toArray());
    expect(swelling).toHaveLength(steady.length);
    const decoder = new MPEGDecoder();
    await decoder.ready;
    const [samples] = decoder.decode(swelling).channelData;
    decoder.free();
    const loudness = (from: number) => {
      const piece = samples!.subarray(from * 24_000, (from + 1) * 24_000);
      return Math.sqrt(piece.reduce((sum, value) => sum + value * value, 0) / piece.length);
    };
    expect(loudness(0.5) / loudness(2.5)).toBeCloseTo(4, 1);
  });
});

describe('toneFacts', () => {
  it.each([1, 2, 3, 59, 60, 61, 1800, 3601, 7200])(
    'describes the file of %i seconds',
    async (seconds) => {
      const path = join(folder, `${seconds}.mp3`);
      await writeFile(path, makeTone(seconds));
      const facts = await readAudioFile(path);
      expect(facts).toEqual(await toneFacts(seconds));
      expect(Math.round(facts.durationMs / 1000)).toBe(seconds);
      expect(Math.abs(facts.durationMs - seconds * 1000)).toBeLessThanOrEqual(12);
    },
  );

  it.each([0, -1, 0.5, 7201, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d',
    async (seconds) => {
      await expect(toneFacts(seconds)).rejects.toThrow(RangeError);
      expect(() => makeTone(seconds)).toThrow(RangeError);
    },
  );
});
