import { parentPort, workerData } from 'node:worker_threads';
import { MPEGDecoder } from 'mpg123-decoder';
import { Loudness } from './loudness.ts';
import type { ThreadData } from './read-loudness.ts';

// The thread in which MP3 is decoded. It answers each piece with a word, so that no more than one
// waits, and the end of them with the loudness; the sound itself never leaves it.

const { durationSeconds, parts } = workerData as ThreadData;
const loudness = new Loudness(durationSeconds, parts);
// A tag that says how much to cut off may be wrong, and then the rest of the file were lost.
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
