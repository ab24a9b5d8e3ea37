import { MPEGDecoder } from 'mpg123-decoder';

/** Samples of each channel, from -1 to 1. */
export type Sound = (channels: readonly Float32Array[], sampleRateHz: number) => void;

/** Calls `onSound` with the sound of an MP3 file, piece by piece. */
export async function decodeMp3(file: AsyncIterable<Buffer>, onSound: Sound): Promise<void> {
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
