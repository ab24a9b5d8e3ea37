import pg from 'pg';
import type { DatabaseLog } from './database-log.ts';

export interface NotificationReceiver {
  onPayload(payload: string): void;
  /** The connection was lost, or is there (again): what was sent in between is not known. */
  onGap(): void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
const HEARTBEAT_MS = 30_000;

/** One connection of its own that LISTENs on a channel, and comes back when it is lost. */
export class NotificationListener implements AsyncDisposable {
  readonly #config: pg.ClientConfig;
  readonly #channel: string;
  readonly #receiver: NotificationReceiver;
  readonly #log: DatabaseLog;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #failures = 0;
  #state: 'new' | 'running' | 'stopped' = 'new';

  constructor(
    config: pg.ClientConfig,
    channel: string,
    receiver: NotificationReceiver,
    log: DatabaseLog,
  ) {
    this.#config = config;
    this.#channel = channel;
    this.#receiver = receiver;
    this.#log = log;
  }

  /** Connects in the background, once; `onGap` tells when it is listening. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    void this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#config);
    this.#client = client;
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection was closed')));
    client.on('notification', ({ payload }) => this.#receiver.onPayload(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      this.#lose(client, error);
      return;
    }
    if (this.#client !== client) return;
    this.#failures = 0;
    this.#heartbeat = setInterval(() => this.#beat(client), HEARTBEAT_MS);
    this.#heartbeat.unref();
    this.#receiver.onGap();
  }

  /** A line that is dead without a word is found out by the answer that does not come. */
  #beat(client: pg.Client): void {
    client.query('select 1').catch((error: unknown) => this.#lose(client, error));
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    client.end().catch(() => undefined);
    if (this.#failures === 0) {
      this.#log.warn({ err: error }, 'no longer told of changes by other processes');
      this.#receiver.onGap();
    }
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#connect(), pause * (0.5 + Math.random() / 2));
    this.#retry.unref();
  }
}
