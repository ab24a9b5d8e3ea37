import { parentPort, workerData } from 'node:worker_threads';
import { MPEGDecoder } from 'mpg123-decoder';
import { Loudness } from '../waveforms/loudness.ts';
import { alignAudio } from './align-audio.ts';
import type { Comparison, ThreadData } from './align-files.ts';
import { type Envelope, EnvelopeBuilder } from './envelope.ts';

// The thread in which two MP3 files are compared. It acknowledges each piece with a message, so
// that at most one waits. It answers the end of the second file with the parts that match.

const { durationSeconds, parts } = workerData as ThreadData;
const loudness = new Loudness(durationSeconds, parts);
let old: Envelope | undefined;
let envelope = new EnvelopeBuilder();
// A wrong tag about gapless playback would make the decoder drop the rest of the file.
let decoder = new MPEGDecoder({ enableGapless: false });
await decoder.ready;

parentPort?.on('message', async (piece: Uint8Array | 'end') => {
  if (piece !== 'end') {
    decode(piece);
    parentPort?.postMessage('more');
    return;
  }
  decoder.free();
  if (old !== undefined) {
    const found: Comparison = {
      parts: alignAudio(old, envelope.result()),
      peaks: loudness.result(),
    };
    parentPort?.postMessage(found);
    return;
  }
  old = envelope.result();
  envelope = new EnvelopeBuilder();
  decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  parentPort?.postMessage('more');
});

function decode(piece: Uint8Array): void {
  const { channelData, sampleRate, samplesDecoded } = decoder.decode(piece);
  if (samplesDecoded === 0) return;
  envelope.add(channelData, sampleRate);
  if (old !== undefined) loudness.add(channelData, sampleRate);
}
