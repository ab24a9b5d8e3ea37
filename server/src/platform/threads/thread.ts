import { Worker } from 'node:worker_threads';

/** Why a call to a thread failed. */
export type ThreadFailure =
  | 'memory' // exceeded its memory limit
  | 'time' // exceeded its CPU or time limit
  | 'ended'; // an internal error

export class ThreadError extends Error {
  readonly reason: ThreadFailure;

  constructor(reason: ThreadFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadError';
    this.reason = reason;
  }
}

export interface ThreadOptions {
  /** The heap limit of the thread; exceeding it ends the thread. */
  readonly heapMb: number;
  /** CPU time for each call, which does not depend on the load of the machine. */
  readonly cpuMs: number;
  /** A much higher wall-clock limit, for a thread that hangs. */
  readonly answerWithinMs: number;
}

/** The calls and their results; `answerInThread` is the other side. */
export interface Question {
  readonly id: number;
  readonly about: string;
  readonly input: unknown;
}
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  /** The thread's total CPU time when the call was first checked. */
  cpuBeforeMs?: number;
}

const looksPerLimit = 20;

/**
 * Runs work that must not block requests: calls to a thread with its own heap. Rejects with
 * ThreadError, with the reason for ending the thread, or with an error of the thread's code. After
 * the first two, all further calls fail in the same way.
 */
export class Thread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: unknown;
  #watch: NodeJS.Timeout | undefined;

  constructor(script: URL, options: ThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(script, {
      // Do not pass this process's arguments to the thread.
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.end(explain(error, options)));
    this.#worker.on('exit', () => this.end(new ThreadError('ended', 'The thread has ended.')));
  }

  ask<T>(about: string, input: unknown): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#failure !== undefined) reject(this.#failure);
    else {
      const id = ++this.#lastId;
      const { answerWithinMs } = this.#options;
      const timer = setTimeout(() => {
        this.end(new ThreadError('time', `No result within ${answerWithinMs} ms.`));
      }, answerWithinMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#watch ??= setInterval(() => this.#look(), this.#options.cpuMs / looksPerLimit);
      this.#worker.postMessage({ id, about, input } satisfies Question);
    }
    return promise as Promise<T>;
  }

  /** Whether it is idle and can be called. */
  get isUsable(): boolean {
    return this.#failure === undefined && this.#waiting.size === 0;
  }

  /** Whether it keeps the process alive; a new thread does. */
  ref(): void {
    this.#worker.ref();
  }

  unref(): void {
    this.#worker.unref();
  }

  /** Ends the thread at once; the first reason wins. */
  end(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    this.#waiting.clear();
    this.#stopWatch();
    void this.#worker.terminate();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.end(new ThreadError('ended', 'The thread is no longer needed.'));
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if (this.#waiting.size === 0) this.#stopWatch();
    if ('error' in answer) waiting.reject(answer.error);
    else waiting.resolve(answer.result);
  }

  /** The thread may end, or return, before it reports its CPU time. */
  #look(): void {
    const asked = [...this.#waiting.values()];
    this.#worker.cpuUsage().then(
      ({ user, system }) => {
        const cpuMs = (user + system) / 1000;
        for (const waiting of asked) waiting.cpuBeforeMs ??= cpuMs;
        const isOver = [...this.#waiting.values()].some(
          ({ cpuBeforeMs = cpuMs }) => cpuMs - cpuBeforeMs > this.#options.cpuMs,
        );
        const message = `No result within ${this.#options.cpuMs} ms of CPU time.`;
        if (isOver) this.end(new ThreadError('time', message));
      },
      () => undefined,
    );
  }

  #stopWatch(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

function explain(error: unknown, { heapMb }: ThreadOptions): ThreadError {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new ThreadError('memory', `More than ${heapMb} MB were needed.`, { cause: error })
    : new ThreadError('ended', 'The thread ended unexpectedly.', { cause: error });
}
