import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withinTime } from './within-time.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const PARTING_MS = 500;

/** A connection outside the pool. Closing it never waits for a server that does not respond. */
export class UnpooledClient implements AsyncDisposable {
  readonly client: pg.Client;
  readonly #socket = new Socket();
  readonly #timeoutMs: number;

  constructor(config: pg.ClientConfig, timeoutMs: number = CONNECT_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    // Without pg's own limit, which says nothing about the server: a blocked process may notice it first.
    const ownLimit = { connectionTimeoutMillis: 0 };
    this.client = new pg.Client({ ...config, ...ownLimit, stream: () => this.#socket });
    // An unhandled 'error' would end the process. Users of the connection get the error too.
    this.client.on('error', () => undefined);
  }

  /** Rejects if it takes too long; never leaves anything open. */
  async connect(): Promise<void> {
    try {
      await withinTime(this.client.connect(), this.#timeoutMs);
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** Closes immediately without notifying the server. */
  destroy(): void {
    this.#socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.client.end().catch(() => undefined);
    await Promise.race([ended, sleep(PARTING_MS, undefined, { ref: false })]);
    this.destroy();
  }
}
