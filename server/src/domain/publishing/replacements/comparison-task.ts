import type { DrawingSize } from '../audio/index.ts';
import { decodeMp3, Loudness } from '../audio/sound/index.ts';
import { alignAudio } from './alignment/align-audio.ts';
import { type Envelope, EnvelopeBuilder } from './alignment/envelope.ts';
import type { Comparison } from './compare-recordings.ts';

// In a child process: both recordings are decoded. The sound itself stays here.

/** Compares the first file with the second one, and draws the second one. */
export async function* comparison(
  { durationSeconds, parts }: DrawingSize,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<Comparison> {
  const found = new Loudness(durationSeconds, parts);
  const envelopes: Envelope[] = [];
  for await (const file of files) {
    const envelope = new EnvelopeBuilder();
    const isFresh = envelopes.length > 0;
    await decodeMp3(file, (channels, sampleRateHz) => {
      envelope.add(channels, sampleRateHz);
      if (isFresh) found.add(channels, sampleRateHz);
    });
    envelopes.push(envelope.result());
  }
  const nothing = { frames: 0, levels: new Uint8Array() };
  const [old = nothing, fresh = nothing] = envelopes;
  yield { parts: alignAudio(old, fresh), peaks: found.result() };
}
