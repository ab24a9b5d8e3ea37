import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type Frame,
  FrameReader,
  frameKinds,
  readValue,
  writeFrame,
  writeValue,
} from './frames.ts';
import {
  endedFor,
  type FileSource,
  type Job,
  maxCallBytes,
  mostSpans,
  type OnPart,
  ProcessError,
  type Span,
} from './job.ts';
import type { ProcessEnd, ProcessStarter, StartedProcess } from './process-starter.ts';

const script = fileURLToPath(new URL('./child.ts', import.meta.url));
const nodeOptions = ['--max-old-space-size=256', '--max-semi-space-size=4', '--no-warnings'];
/** Of Node, for the starter of child processes. */
export const childCommand = [...nodeOptions, script];
const startWithinMs = 30_000;
const pieceBytes = 64 * 1024;

interface Running {
  readonly job: Job;
  readonly pipe: Socket;
  readonly onPart: OnPart;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Aborts when the job has ended. */
  readonly ended: AbortSignal;
  receivedBytes: number;
  /** What the child has requested. */
  readonly requested: { count: number; bytes: number };
  /** When everything so far is sent; never rejects. */
  sent: Promise<void>;
  /** When all parts so far are taken. */
  taken: Promise<unknown>;
}

/** One child process. It does one job at a time. After a failure it has ended. */
export class ChildProcess {
  readonly #process: StartedProcess;
  readonly #reader = new FrameReader(256 * 1024 * 1024);
  readonly #connected = Promise.withResolvers<Socket>();
  #pipe: Socket | undefined;
  #running: Running | undefined;
  #failure: unknown;
  #quiet: NodeJS.Timeout | undefined;
  readonly #ended = Promise.withResolvers<void>();
  readonly #mostKeptBytes: number;

  /** If it has more memory than `mostKeptBytes` after a job, it ends. */
  constructor(starter: ProcessStarter, mostKeptBytes: number) {
    this.#mostKeptBytes = mostKeptBytes;
    this.#connected.promise.catch(() => undefined);
    this.#process = starter.start({
      onConnect: (pipe) => {
        this.#pipe = pipe.on('data', (chunk: Buffer) => this.#receive(chunk));
        this.#connected.resolve(pipe);
      },
      onEnd: (end) => {
        this.end(this.#explainEnd(end));
        this.#ended.resolve();
      },
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** When it runs no more: one that is killed while it waits for a disk may run on for long. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether it can do another job. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /**
   * Does the job, and calls `onPart` with every part of its result. Rejects with a ProcessError, the
   * signal's reason, an error of a source, what `onPart` rejects with, or what the task has thrown: an
   * Error with the same `name`, `message` and fields.
   */
  async run(job: Job, onPart: OnPart): Promise<void> {
    const { limits, signal } = job;
    const stop = () => this.end(signal?.reason);
    signal?.addEventListener('abort', stop);
    let timer = setTimeout(() => {
      this.end(new ProcessError('unavailable', 'The process did not start.'));
    }, startWithinMs);
    try {
      signal?.throwIfAborted();
      const pipe = await this.#connected.promise;
      clearTimeout(timer);
      timer = setTimeout(() => {
        this.end(new ProcessError('time', `No result within ${limits.wallMs} ms.`));
      }, limits.wallMs);
      this.#endWhenQuiet(limits.quietMs);
      await this.#call(pipe, job, onPart);
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#quiet);
      this.#quiet = undefined;
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Whether it keeps this process alive; a new one does. */
  ref(isNeeded: boolean): void {
    this.#process.ref(isNeeded);
  }

  /** Kills it at once; the first reason wins. */
  end(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#process.kill();
    this.#pipe?.destroy();
    this.#connected.reject(reason);
    this.#running?.reject(reason);
    this.#running = undefined;
  }

  #endWhenQuiet(quietMs: number | undefined): void {
    if (quietMs === undefined) return;
    this.#quiet = setTimeout(() => {
      this.end(new ProcessError('time', `Nothing was heard for ${quietMs} ms.`));
    }, quietMs);
  }

  #noteSign(): void {
    this.#quiet?.refresh();
    this.#running?.job.onSign?.();
  }

  async #call(pipe: Socket, job: Job, onPart: OnPart): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { memoryMb, cpuMs } = job.limits;
    if (this.#failure !== undefined) throw this.#failure;
    const call = { module: job.module.href, task: job.task, input: job.input, memoryMb, cpuMs };
    const frame = writeValue(frameKinds.call, call);
    if (frame.length > maxCallBytes) throw new RangeError('the input of a job is too large');
    const end = new AbortController();
    const [sent, taken] = [Promise.resolve(), Promise.resolve()];
    const counts = { receivedBytes: 0, requested: { count: 0, bytes: 0 } };
    const running: Running = {
      ...{ job, pipe, onPart, resolve, reject, ended: end.signal, sent, taken },
      ...counts,
    };
    this.#running = running;
    pipe.write(frame);
    if (job.spans === undefined) this.#send(running, () => this.#sendFiles(running));
    try {
      await promise;
      await running.taken;
    } finally {
      end.abort();
      await running.sent;
      if (job.spans !== undefined) pipe.write(writeFrame(frameKinds.callEnd));
    }
  }

  #send(running: Running, work: () => Promise<void>): void {
    running.sent = running.sent.then(work).catch((error) => this.end(error));
  }

  async #sendFiles(running: Running): Promise<void> {
    for (const file of running.job.files ?? []) {
      await this.#sendFile(running, typeof file === 'function' ? file : () => inOnePiece(file));
      if (running.ended.aborted) break;
    }
    running.pipe.write(writeFrame(frameKinds.callEnd));
  }

  #sendSpan(running: Running, span: Span): void {
    const { job, requested } = running;
    requested.count += 1;
    requested.bytes += span.length;
    if (!job.spans || requested.count > mostSpans.count || !(requested.bytes <= mostSpans.bytes)) {
      throw new RangeError('The process asked for too much.');
    }
    const { spans } = job;
    this.#send(running, () => this.#sendFile(running, () => spans(span)));
  }

  /** Sends the file until the job has ended, even if the file neither opens nor continues. */
  async #sendFile({ pipe, ended }: Running, open: FileSource): Promise<void> {
    const opening = (async () => await open())();
    const file = await orAborted(() => opening, ended);
    if (file === undefined) {
      opening.then(
        (late) => closeFile(late),
        () => undefined,
      );
      return;
    }
    const chunks = file[Symbol.asyncIterator]();
    for (;;) {
      const next = await orAborted(() => chunks.next(), ended);
      if (next === undefined) {
        closeFile(file, chunks);
        return;
      }
      if (next.done === true) break;
      await this.#sendChunk(pipe, next.value, ended);
    }
    pipe.write(writeFrame(frameKinds.fileEnd));
  }

  async #sendChunk(pipe: Socket, chunk: Uint8Array, ended: AbortSignal): Promise<void> {
    for (let at = 0; at < chunk.length && !ended.aborted; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      this.#noteSign();
      if (pipe.write(writeFrame(frameKinds.bytes, piece))) continue;
      // How the process ends says why a pipe fails.
      await once(pipe, 'drain', { signal: ended }).catch(() => undefined);
    }
  }

  #receive(chunk: Buffer): void {
    this.#noteSign();
    try {
      for (const frame of this.#reader.read(chunk)) this.#settle(frame);
    } catch (cause) {
      this.end(new ProcessError('crash', 'The process sent what it may not send.', { cause }));
    }
  }

  #settle(frame: Frame): void {
    const running = this.#running;
    if (running === undefined) return;
    running.receivedBytes += frame.body.length;
    if (running.receivedBytes > running.job.limits.resultBytes) {
      this.end(new ProcessError('memory', 'The result is too large.'));
      return;
    }
    if (frame.kind === frameKinds.part) {
      this.#waitFor(running, running.onPart(readValue(frame)));
      return;
    }
    if (frame.kind === frameKinds.ask) {
      this.#sendSpan(running, readValue(frame) as Span);
      return;
    }
    this.#running = undefined;
    if (frame.kind === frameKinds.failed) {
      running.reject(restoreError(readValue(frame)));
      return;
    }
    if (Number(readValue(frame)) > this.#mostKeptBytes)
      this.end(new ProcessError('stopped', 'It was large.'));
    running.resolve();
  }

  /** Receives nothing until the part is taken: the child waits when the pipe is full. */
  #waitFor(running: Running, taken: unknown): void {
    if (!(taken instanceof Promise)) return;
    const { pipe } = running;
    pipe.pause();
    const all = Promise.all([running.taken, taken]);
    running.taken = all;
    all.then(
      () => {
        if (running.taken === all) pipe.resume();
      },
      (error: unknown) => this.end(error),
    );
  }

  #explainEnd(end: ProcessEnd | undefined): ProcessError {
    if (end === undefined)
      return new ProcessError('unavailable', 'No process could be started, or its starter ended.');
    const { code, signal, stderr } = end;
    const how = signal ?? `code ${code}`;
    const cause = new Error(`ended with ${how}: ${stderr}`);
    if (this.#pipe === undefined) {
      return new ProcessError('unavailable', 'The process ended as it started.', { cause });
    }
    if (stderr.includes(endedFor.time)) {
      return new ProcessError('time', 'The process took too much CPU time.', { cause });
    }
    // V8 and C++ abort; the kernel kills.
    const isMemory =
      signal === 'SIGKILL' || /heap out of memory|bad_alloc|Allocation failed/.test(stderr);
    return isMemory
      ? new ProcessError('memory', 'The process took too much memory.', { cause })
      : new ProcessError('crash', `The process ended with ${how}.`, { cause });
  }
}

/**
 * The value of `work`, or undefined as soon as the signal aborts. Promise.race with a promise that
 * is pending for long would keep every value until that one settles.
 */
async function orAborted<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener('abort', stop);
  work().then(resolve, reject);
  return await promise.finally(() => signal.removeEventListener('abort', stop));
}

/** It may wait for a chunk that never comes. */
function closeFile(
  file: AsyncIterable<Uint8Array>,
  chunks: AsyncIterator<Uint8Array> = file[Symbol.asyncIterator](),
): void {
  if (file instanceof Readable) file.destroy();
  else chunks.return?.().catch(() => undefined);
}

async function* inOnePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}

function restoreError(thrown: unknown): Error {
  const { message, ...fields } = thrown as { readonly message: string };
  return Object.assign(new Error(message), fields);
}
