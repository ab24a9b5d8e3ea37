import { MPEGDecoder } from 'mpg123-decoder';
import { alignAudio } from './alignment/align-audio.ts';
import { type Envelope, EnvelopeBuilder } from './alignment/envelope.ts';
import type { Comparison, DrawingSize } from './read-sound.ts';
import { Loudness } from './waveforms/loudness.ts';

// In a child process: MP3 is decoded. The sound itself stays here.

type Files = AsyncIterable<AsyncIterable<Buffer>>;
type Sound = (channels: readonly Float32Array[], sampleRateHz: number) => void;

export async function* loudness(
  { durationSeconds, parts }: DrawingSize,
  files: Files,
): AsyncGenerator<Uint8Array | undefined> {
  const found = new Loudness(durationSeconds, parts);
  for await (const file of files) {
    await decode(file, (channels, sampleRateHz) => found.add(channels, sampleRateHz));
  }
  yield found.result();
}

/** Compares the first file with the second one, and draws the second one. */
export async function* comparison(
  { durationSeconds, parts }: DrawingSize,
  files: Files,
): AsyncGenerator<Comparison> {
  const found = new Loudness(durationSeconds, parts);
  const envelopes: Envelope[] = [];
  for await (const file of files) {
    const envelope = new EnvelopeBuilder();
    const isFresh = envelopes.length > 0;
    await decode(file, (channels, sampleRateHz) => {
      envelope.add(channels, sampleRateHz);
      if (isFresh) found.add(channels, sampleRateHz);
    });
    envelopes.push(envelope.result());
  }
  const nothing = { frames: 0, levels: new Uint8Array() };
  const [old = nothing, fresh = nothing] = envelopes;
  yield { parts: alignAudio(old, fresh), peaks: found.result() };
}

async function decode(file: AsyncIterable<Buffer>, onSound: Sound): Promise<void> {
  // A wrong tag about gapless playback would make the decoder drop the rest of the file.
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  try {
    for await (const piece of file) {
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(piece);
      if (samplesDecoded > 0) onSound(channelData, sampleRate);
    }
  } finally {
    decoder.free();
  }
}
