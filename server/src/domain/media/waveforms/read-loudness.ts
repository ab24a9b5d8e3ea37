import type { Readable } from 'node:stream';
import { streamToThread } from '../stream-to-thread.ts';

/** The thread's input. */
export interface ThreadData {
  readonly durationSeconds: number;
  readonly parts: number;
}

/**
 * The loudness of an MP3 in that many equal parts of its duration. It is decoded in a thread of its
 * own, in memory that does not depend on its length. Undefined if it has no sound. Rejects if it
 * cannot be read or decoded, or `signal` aborts.
 */
export async function readLoudness(
  mp3: Readable,
  workerData: ThreadData,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const script = new URL('./waveform-thread.ts', import.meta.url);
  const answer = await streamToThread({ script, workerData }, [() => mp3], signal);
  return answer as Uint8Array<ArrayBuffer> | undefined;
}
