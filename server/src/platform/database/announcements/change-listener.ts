import { randomBytes } from 'node:crypto';
import type { DatabaseServers, ServerLine } from '../connections/database-servers.ts';
import { askWritable, assertWritable } from '../connections/read-only.ts';
import { NoResponseError, withinTime } from '../connections/within-time.ts';
import type { DatabaseLog } from '../database-log.ts';
import { holdServedLock } from './served-lock.ts';

export interface NotificationReceiver {
  onPayload(payload: string): void;
  /** The connection was lost or has been restored: notifications in between are unknown. */
  onGap(): void;
}

/** Where to LISTEN, and how to find out whether that works. */
export interface ListeningLine {
  readonly servers: DatabaseServers;
  /** The server of a connection stopped, or accepts no writes any more. */
  onLost(): void;
  /** Whether it is another way than the one that changes take. */
  readonly isApart: boolean;
  /** Sends a notification the way that changes do. */
  notify(channel: string, payload: string): Promise<void>;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
// A dead connection, or one to a server that is no longer the primary, is detected after both together.
const HEARTBEAT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 2_000;

const untilThen = 'Until then, changes of other processes are found by polling, within a second.';
const transactionPooler =
  'DATABASE_URL points to a pooler in transaction mode, which drops LISTEN: set DATABASE_LISTEN_URL to the ' +
  `URL of the same database without the pooler. ${untilThen}`;
const deafPooler =
  'DATABASE_URL points to a pooler that drops LISTEN: set DATABASE_LISTEN_URL to the URL of the same ' +
  `database without the pooler. ${untilThen}`;
const unsuitableListenUrl =
  'DATABASE_LISTEN_URL points to a pooler in transaction mode, which drops LISTEN: set it to the URL of the ' +
  `database without a pooler. ${untilThen}`;
const otherDatabase =
  'DATABASE_LISTEN_URL does not get the notifications of DATABASE_URL: set it to the URL of the same ' +
  `database, without a pooler. ${untilThen}`;

/** A connection of its own that LISTENs on a channel and reconnects when it is lost. */
export class NotificationListener implements AsyncDisposable {
  readonly #line: ListeningLine;
  readonly #channel: string;
  readonly #receiver: NotificationReceiver;
  readonly #log: DatabaseLog;
  #connection: ServerLine | undefined;
  /** Notifications to itself have shown whether it hears any. */
  #isTested = false;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #failures = 0;
  #state: 'new' | 'running' | 'stopped' = 'new';

  constructor(
    line: ListeningLine,
    channel: string,
    receiver: NotificationReceiver,
    log: DatabaseLog,
  ) {
    this.#line = line;
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
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
  }

  async #connect(): Promise<void> {
    let connection: ServerLine | undefined;
    try {
      connection = await this.#line.servers.open();
      if (this.#state === 'stopped') return await connection[Symbol.asyncDispose]();
      if (!connection.sessions.areKept) return await this.#giveUp(connection);
      this.#connection = connection;
      await this.#listen(connection);
    } catch (error) {
      this.#lose(connection, error);
      return;
    }
    if (this.#connection !== connection) return;
    this.#failures = 0;
    this.#beatLater(connection);
    this.#receiver.onGap();
    await this.#test(connection);
  }

  async #listen(connection: ServerLine): Promise<void> {
    const { client } = connection;
    client.on('error', (error) => this.#lose(connection, error));
    client.on('end', () => this.#lose(connection, new Error('the connection was closed')));
    client.on('notification', ({ payload }) => this.#receiver.onPayload(payload ?? ''));
    assertWritable(await withinTime(client.query(askWritable), ANSWER_TIMEOUT_MS));
    await withinTime(client.query(holdServedLock), ANSWER_TIMEOUT_MS);
    const listening = client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
    await withinTime(listening, ANSWER_TIMEOUT_MS);
  }

  /** A pooler would listen in a session that others use next. */
  async #giveUp(connection: ServerLine): Promise<void> {
    this.#state = 'stopped';
    await connection[Symbol.asyncDispose]();
    this.#log.warn({}, this.#line.isApart ? unsuitableListenUrl : transactionPooler);
  }

  /** Once, if the connection takes another way than changes do, or something is in between. */
  async #test({ client, sessions }: ServerLine): Promise<void> {
    if (this.#isTested || (sessions.areDirect && !this.#line.isApart)) return;
    this.#isTested = true;
    const heard = Promise.withResolvers<void>();
    // Whoever else hears it ignores work of an unknown job.
    const payload = `${randomBytes(9).toString('base64url')} work listen-test 0`;
    const onNotification = (message: { readonly payload?: string | undefined }) => {
      if (message.payload === payload) heard.resolve();
    };
    client.on('notification', onNotification);
    try {
      await this.#line.notify(this.#channel, payload);
      await withinTime(heard.promise, ANSWER_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof NoResponseError)
        this.#log.warn({}, this.#line.isApart ? otherDatabase : deafPooler);
    } finally {
      client.off('notification', onNotification);
    }
  }

  /**
   * Detects a connection that died silently, whose heartbeat gets no response, and one to a server that
   * has become read-only: no commit is announced there.
   */
  #beatLater(connection: ServerLine): void {
    this.#heartbeat = setTimeout(async () => {
      try {
        const asked = connection.client.query(askWritable);
        assertWritable(await withinTime(asked, ANSWER_TIMEOUT_MS));
        if (this.#connection === connection) this.#beatLater(connection);
      } catch (error) {
        this.#lose(connection, error);
      }
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** `connection`: undefined if none could be opened. */
  #lose(connection: ServerLine | undefined, error: unknown): void {
    if (this.#state === 'stopped' || this.#connection !== connection) return;
    this.#connection = undefined;
    clearTimeout(this.#heartbeat);
    connection?.destroy();
    this.#line.servers.leave(connection?.server);
    this.#line.onLost();
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
