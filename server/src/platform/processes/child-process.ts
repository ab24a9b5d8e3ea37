import { type ChildProcess as Program, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { smallMalloc } from '../../lib/small-malloc.ts';
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
  ProcessError,
  type Span,
} from './job.ts';

const script = fileURLToPath(new URL('./child.ts', import.meta.url));
const nodeOptions = ['--max-old-space-size=256', '--max-semi-space-size=4', '--no-warnings'];
/** Beyond every job's limit, for memory that is taken between two looks of the watcher. */
const mostDataKb = 3 * 1024 * 1024;
/** Without a dump of memory; and if the machine has no memory left, the server outlives it. */
const shell = `ulimit -c 0; ulimit -d ${mostDataKb}; { echo 700 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"`;
/** All of the environment that it gets: no setting, and so no secret. */
const passedOn = [
  ...['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'],
  ...Object.keys(smallMalloc),
];
const startWithinMs = 30_000;
/** As a nice value: little more than what the server and its database leave. */
const priority = 10;
const pieceBytes = 64 * 1024;
const stderrChars = 4_000;

interface Running {
  readonly job: Job;
  readonly onPart: (part: unknown) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Aborts when the job has ended. */
  readonly ended: AbortSignal;
  receivedBytes: number;
  /** What the child has asked for. */
  readonly requested: { count: number; bytes: number };
  /** When everything so far is sent; never rejects. */
  sent: Promise<void>;
}

/** One child process. It does one job at a time. After a failure it has ended. */
export class ChildProcess {
  readonly #program: Program;
  readonly #pipe: Duplex;
  readonly #reader = new FrameReader(256 * 1024 * 1024);
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #running: Running | undefined;
  #failure: unknown;
  #stderr = '';
  readonly #mostKeptBytes: number;

  /** If it has more memory than `mostKeptBytes` after a job, it ends. */
  constructor(mostKeptBytes: number) {
    this.#mostKeptBytes = mostKeptBytes;
    const environment = passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.#program = spawn('/bin/sh', ['-c', shell, process.execPath, ...nodeOptions, script], {
      // Else most would exceed `mostKeptBytes` after a picture, and each job would wait for a new process.
      env: { ...smallMalloc, ...Object.fromEntries(environment) },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // Linux divides the processors between sessions before it looks at the priority of a process.
      detached: true,
    });
    this.#pipe = this.#program.stdio[3] as Duplex;
    this.#ready.promise.catch(() => undefined);
    this.#pipe.on('data', (chunk: Buffer) => this.#receive(chunk));
    // How the process ends says why.
    this.#pipe.on('error', () => undefined);
    this.#program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrChars);
    });
    this.#program.on('error', (cause) => {
      this.end(new ProcessError('unavailable', 'No process could be started.', { cause }));
    });
    this.#program.on('close', (code, signal) => this.end(this.#explainEnd(code, signal)));
    const { pid } = this.#program;
    if (pid !== undefined) lowerPriority(pid);
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** Whether it can do another job. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /**
   * Does the job, and calls `onPart` with every part of its result. Rejects with a ProcessError, the
   * signal's reason, an error of a source, or what the task has thrown: an Error with the same
   * `name`, `message` and fields.
   */
  async run(job: Job, onPart: (part: unknown) => void): Promise<void> {
    const { limits, signal } = job;
    const stop = () => this.end(signal?.reason);
    signal?.addEventListener('abort', stop);
    let timer = setTimeout(() => {
      this.end(new ProcessError('unavailable', 'The process did not start.'));
    }, startWithinMs);
    try {
      signal?.throwIfAborted();
      await this.#ready.promise;
      clearTimeout(timer);
      timer = setTimeout(() => {
        this.end(new ProcessError('time', `No result within ${limits.wallMs} ms.`));
      }, limits.wallMs);
      await this.#call(job, onPart);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Whether it keeps this process alive; a new one does. */
  ref(isNeeded: boolean): void {
    // The types of pipes do not name it.
    for (const handle of [this.#program, this.#pipe, this.#program.stderr]) {
      const { ref, unref } = handle as unknown as NodeJS.Timeout;
      (isNeeded ? ref : unref).call(handle as never);
    }
  }

  /** Kills it at once; the first reason wins. */
  end(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#program.kill('SIGKILL');
    this.#pipe.destroy();
    this.#ready.reject(reason);
    this.#running?.reject(reason);
    this.#running = undefined;
  }

  async #call(job: Job, onPart: (part: unknown) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { memoryMb, cpuMs } = job.limits;
    if (this.#failure !== undefined) throw this.#failure;
    const call = { module: job.module.href, task: job.task, input: job.input, memoryMb, cpuMs };
    const frame = writeValue(frameKinds.call, call);
    if (frame.length > maxCallBytes) throw new RangeError('the input of a job is too large');
    const end = new AbortController();
    const sent = Promise.resolve();
    const counts = { receivedBytes: 0, requested: { count: 0, bytes: 0 } };
    const running = { job, onPart, resolve, reject, ended: end.signal, sent, ...counts };
    this.#running = running;
    this.#pipe.write(frame);
    if (job.spans === undefined) this.#send(running, () => this.#sendFiles(running));
    try {
      await promise;
    } finally {
      end.abort();
      await running.sent;
      if (job.spans !== undefined) this.#pipe.write(writeFrame(frameKinds.callEnd));
    }
  }

  #send(running: Running, work: () => Promise<void>): void {
    running.sent = running.sent.then(work).catch((error) => this.end(error));
  }

  async #sendFiles({ job, ended }: Running): Promise<void> {
    for (const file of job.files ?? []) {
      await this.#sendFile(typeof file === 'function' ? file : () => inOnePiece(file), ended);
      if (ended.aborted) break;
    }
    this.#pipe.write(writeFrame(frameKinds.callEnd));
  }

  #sendSpan(running: Running, span: Span): void {
    const { job, requested } = running;
    requested.count += 1;
    requested.bytes += span.length;
    if (!job.spans || requested.count > mostSpans.count || !(requested.bytes <= mostSpans.bytes)) {
      throw new RangeError('The process asked for too much.');
    }
    const { spans } = job;
    this.#send(running, () => this.#sendFile(() => spans(span), running.ended));
  }

  /** Sends the file until the job has ended, even if the file neither opens nor goes on. */
  async #sendFile(open: FileSource, ended: AbortSignal): Promise<void> {
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
      await this.#sendChunk(next.value, ended);
    }
    this.#pipe.write(writeFrame(frameKinds.fileEnd));
  }

  async #sendChunk(chunk: Uint8Array, ended: AbortSignal): Promise<void> {
    for (let at = 0; at < chunk.length && !ended.aborted; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      if (this.#pipe.write(writeFrame(frameKinds.bytes, piece))) continue;
      // How the process ends says why a pipe fails.
      await once(this.#pipe, 'drain', { signal: ended }).catch(() => undefined);
    }
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.read(chunk)) this.#settle(frame);
    } catch (cause) {
      this.end(new ProcessError('crash', 'The process sent what it may not send.', { cause }));
    }
  }

  #settle(frame: Frame): void {
    if (frame.kind === frameKinds.ready) {
      this.#isReady = true;
      this.#ready.resolve();
      return;
    }
    const running = this.#running;
    if (running === undefined) return;
    running.receivedBytes += frame.body.length;
    if (running.receivedBytes > running.job.limits.resultBytes) {
      this.end(new ProcessError('memory', 'The result is too large.'));
      return;
    }
    if (frame.kind === frameKinds.part) {
      running.onPart(readValue(frame));
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

  #explainEnd(code: number | null, signal: NodeJS.Signals | null): ProcessError {
    const how = signal ?? `code ${code}`;
    const cause = new Error(`ended with ${how}: ${this.#stderr}`);
    if (!this.#isReady) {
      return new ProcessError('unavailable', 'The process ended as it started.', { cause });
    }
    if (this.#stderr.includes(endedFor.time)) {
      return new ProcessError('time', 'The process took too much CPU time.', { cause });
    }
    // V8 and C++ abort; the kernel kills.
    const isMemory =
      signal === 'SIGKILL' || /heap out of memory|bad_alloc|Allocation failed/.test(this.#stderr);
    return isMemory
      ? new ProcessError('memory', 'The process took too much memory.', { cause })
      : new ProcessError('crash', `The process ended with ${how}.`, { cause });
  }
}

/** The server's own threads come first, in its session and as a session. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, priority);
    writeFileSync(`/proc/${pid}/autogroup`, `${priority}`);
  } catch {
    // It has ended, or the system does not allow it or has no such groups.
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
