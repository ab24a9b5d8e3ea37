import type pg from 'pg';
import { askWritable, assertWritable } from '../connections/read-only.ts';
import { UnpooledClient } from '../connections/unpooled-client.ts';
import { withinTime } from '../connections/within-time.ts';
import type { DatabaseLog } from '../database-log.ts';

export interface NotificationReceiver {
  onPayload(payload: string): void;
  /** The connection was lost or has been restored: notifications in between are unknown. */
  onGap(): void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
// A dead connection, or one to a server that is no longer the primary, is detected after both together.
const HEARTBEAT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 2_000;

/** A connection of its own that LISTENs on a channel and reconnects when it is lost. */
export class NotificationListener implements AsyncDisposable {
  readonly #config: pg.ClientConfig;
  readonly #channel: string;
  readonly #receiver: NotificationReceiver;
  readonly #log: DatabaseLog;
  #line: UnpooledClient | undefined;
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

  /** Connects in the background, once; calls `onGap` when it listens. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    void this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    const line = this.#line;
    this.#line = undefined;
    await line?.[Symbol.asyncDispose]();
  }

  async #connect(): Promise<void> {
    const line = new UnpooledClient(this.#config);
    const { client } = line;
    this.#line = line;
    client.on('error', (error) => this.#lose(line, error));
    client.on('end', () => this.#lose(line, new Error('the connection was closed')));
    client.on('notification', ({ payload }) => this.#receiver.onPayload(payload ?? ''));
    try {
      await line.connect();
      assertWritable(await withinTime(client.query(askWritable), ANSWER_TIMEOUT_MS));
      const listening = client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
      await withinTime(listening, ANSWER_TIMEOUT_MS);
    } catch (error) {
      this.#lose(line, error);
      return;
    }
    if (this.#line !== line) return;
    this.#failures = 0;
    this.#beatLater(line);
    this.#receiver.onGap();
  }

  /**
   * Detects a connection that died silently, whose heartbeat gets no response, and one to a server that
   * has become read-only: no commit is announced there.
   */
  #beatLater(line: UnpooledClient): void {
    this.#heartbeat = setTimeout(async () => {
      try {
        assertWritable(await withinTime(line.client.query(askWritable), ANSWER_TIMEOUT_MS));
        if (this.#line === line) this.#beatLater(line);
      } catch (error) {
        this.#lose(line, error);
      }
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  #lose(line: UnpooledClient, error: unknown): void {
    if (this.#line !== line) return;
    this.#line = undefined;
    clearTimeout(this.#heartbeat);
    line.destroy();
    if (this.#failures === 0) {
      this.#log.warn({ err: error }, 'lost the connection for changes of other processes');
      this.#receiver.onGap();
    }
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#connect(), pause * (0.5 + Math.random() / 2));
    this.#retry.unref();
  }
}
