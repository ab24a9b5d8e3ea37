import { once } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** Far more than a thread needs. A damaged file must not use up the memory of the process. */
const threadHeapMb = 64;

/** Opens a file. It is called when the thread has read the previous one. */
export type AudioSource = () => Readable | Promise<Readable>;

/**
 * Starts a thread and sends it the files piece by piece, and `end` after each. The thread must
 * answer each message, so that at most one piece waits. Resolves with the last answer. Rejects if a
 * file cannot be read, the thread fails, or `signal` aborts.
 */
export async function streamToThread(
  { script, workerData }: { readonly script: URL; readonly workerData?: unknown },
  sources: readonly AudioSource[],
  signal: AbortSignal,
): Promise<unknown> {
  const thread = new Worker(script, {
    workerData,
    // The thread does not get the arguments of this process.
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
    // The decoder reports every damaged frame, which should not be in our standard error.
    stderr: true,
  });
  thread.stderr.resume();
  const gone = new AbortController();
  thread.once('error', (error) => gone.abort(error));
  thread.once('exit', () => gone.abort(new Error('the decoder ended')));
  const until = AbortSignal.any([signal, gone.signal]);
  const send = async (message: Uint8Array | 'end') => {
    until.throwIfAborted();
    thread.postMessage(message);
    const [answer] = await once(thread, 'message', { signal: until });
    return answer as unknown;
  };
  let answer: unknown;
  try {
    for (const source of sources) {
      await streamFile(await source(), send, until);
      answer = await send('end');
    }
    return answer;
  } finally {
    await thread.terminate();
  }
}

async function streamFile(
  file: Readable,
  send: (piece: Uint8Array) => Promise<unknown>,
  until: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of addAbortSignal(until, file)) await send(piece);
  } finally {
    file.destroy();
  }
}
