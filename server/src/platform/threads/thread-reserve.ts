import { Thread, type ThreadOptions } from './thread.ts';

/** How long an idle thread waits for work. It takes 25 MB meanwhile. */
const idleMs = 3_000;

/**
 * Threads of one script. Starting one takes a quarter of a second of CPU time, so a returned thread
 * waits for the next borrower. A waiting thread does not keep the process alive.
 */
export class ThreadReserve {
  readonly #script: URL;
  readonly #options: ThreadOptions;
  #idle: Thread | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(script: URL, options: ThreadOptions) {
    this.#script = script;
    this.#options = options;
  }

  /** The signal ends the thread, and its reason rejects pending calls. */
  borrow(signal?: AbortSignal): BorrowedThread {
    const thread = this.#takeIdle() ?? new Thread(this.#script, this.#options);
    return new BorrowedThread(thread, signal, () => this.#putBack(thread));
  }

  #takeIdle(): Thread | undefined {
    clearTimeout(this.#timer);
    const thread = this.#idle;
    this.#idle = undefined;
    if (thread?.isUsable !== true) return undefined;
    thread.ref();
    return thread;
  }

  /** Keeps one idle thread; ends a second one, and those that failed or still work. */
  async #putBack(thread: Thread): Promise<void> {
    if (!thread.isUsable || this.#idle?.isUsable === true) return thread[Symbol.asyncDispose]();
    thread.unref();
    this.#idle = thread;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#takeIdle()?.[Symbol.asyncDispose](), idleMs).unref();
  }
}

/** A borrowed thread; disposing returns it. */
export class BorrowedThread implements AsyncDisposable {
  readonly #thread: Thread;
  readonly #signal: AbortSignal | undefined;
  readonly #putBack: () => Promise<void>;

  constructor(thread: Thread, signal: AbortSignal | undefined, putBack: () => Promise<void>) {
    this.#thread = thread;
    this.#signal = signal;
    this.#putBack = putBack;
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  ask<T>(about: string, input: unknown): Promise<T> {
    return this.#thread.ask<T>(about, input);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    await this.#putBack();
  }

  readonly #onAbort = (): void => this.#thread.end(this.#signal?.reason);
}
