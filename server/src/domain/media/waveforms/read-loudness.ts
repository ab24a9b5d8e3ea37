import { once } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** What the thread is told when it starts. */
export interface ThreadData {
  readonly durationSeconds: number;
  readonly parts: number;
}

/** Far more than it needs; damage must not cost the process its memory. */
const threadHeapMb = 64;

/**
 * The loudness of an MP3 in so many equal parts of its duration, decoded in a thread of its own, in
 * memory that does not depend on its length. Undefined when no sound is in it. Rejects when it
 * cannot be read or decoded, or `signal` aborts.
 */
export async function readLoudness(
  mp3: Readable,
  data: ThreadData,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const thread = new Worker(new URL('./waveform-thread.ts', import.meta.url), {
    workerData: data,
    // Nothing of this process's command line is meant for the thread.
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
    // The decoder complains of every damaged frame: that is nothing for our standard error.
    stderr: true,
  });
  thread.stderr.resume();
  const gone = new AbortController();
  thread.once('error', (error) => gone.abort(error));
  thread.once('exit', () => gone.abort(new Error('the decoder ended')));
  const until = AbortSignal.any([signal, gone.signal]);
  const tell = async (message: Uint8Array | 'end') => {
    until.throwIfAborted();
    thread.postMessage(message);
    const [answer] = await once(thread, 'message', { signal: until });
    return answer;
  };
  try {
    for await (const piece of addAbortSignal(until, mp3)) await tell(piece);
    return await tell('end');
  } finally {
    mp3.destroy();
    await thread.terminate();
  }
}
