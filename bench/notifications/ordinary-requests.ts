import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 10;

/** Sends the same request again and again, like one listener, until it is stopped. */
export class OrdinaryRequests {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #timesMs: number[] = [];
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;

  constructor(url: string) {
    this.#url = url;
    this.#ended = this.#run();
  }

  /** The sorted times of all responses, in milliseconds. */
  async stop(): Promise<number[]> {
    this.#stopping.abort();
    await this.#ended;
    this.#agent.destroy();
    return this.#timesMs.sort((a, b) => a - b);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      await this.#ask();
      this.#timesMs.push(performance.now() - startedAt);
      await wait(everyMs);
    }
  }

  async #ask(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(this.#url, { agent: this.#agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
      else text(response).then(() => resolve(), reject);
    }).on('error', reject);
    await promise;
  }
}

export const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
