import { setImmediate } from 'node:timers/promises';

/** Runs one task at a time while its caller continues. Disposing waits for the last one. */
export class BackgroundTask implements AsyncDisposable {
  #running = Promise.resolve();

  /** Waits for the task before, rejects if it has failed, and starts this one. */
  async start(task: () => Promise<void>): Promise<void> {
    await this.#running;
    this.#running = task();
    // `start` and `end` report it.
    this.#running.catch(() => undefined);
    // So that it begins before its caller keeps the event loop busy.
    await setImmediate();
  }

  /** Waits for the last task, and rejects if it has failed. */
  end(): Promise<void> {
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.catch(() => undefined);
  }
}
