import type { DrawingSize } from './read-sound.ts';
import { decodeMp3, Loudness } from './sound/index.ts';

// In a child process: MP3 is decoded. The sound itself stays here.

export async function* loudness(
  { durationSeconds, parts }: DrawingSize,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<Uint8Array | undefined> {
  const found = new Loudness(durationSeconds, parts);
  for await (const file of files) {
    await decodeMp3(file, (channels, sampleRateHz) => found.add(channels, sampleRateHz));
  }
  yield found.result();
}
