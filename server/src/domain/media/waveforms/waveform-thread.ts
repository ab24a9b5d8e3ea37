import { parentPort, workerData } from 'node:worker_threads';
import { MPEGDecoder } from 'mpg123-decoder';
import { Loudness } from './loudness.ts';
import type { ThreadData } from './read-loudness.ts';

// The thread in which MP3 is decoded. It acknowledges each piece with a message, so that at most
// one waits. It answers the end with the loudness; the sound itself stays in the thread.

const { durationSeconds, parts } = workerData as ThreadData;
const loudness = new Loudness(durationSeconds, parts);
// A wrong tag about gapless playback would make the decoder drop the rest of the file.
const decoder = new MPEGDecoder({ enableGapless: false });
await decoder.ready;

parentPort?.on('message', (piece: Uint8Array | 'end') => {
  if (piece === 'end') {
    parentPort?.postMessage(loudness.result());
    return;
  }
  const { channelData, sampleRate, samplesDecoded } = decoder.decode(piece);
  if (samplesDecoded > 0) loudness.add(channelData, sampleRate);
  parentPort?.postMessage('more');
});
