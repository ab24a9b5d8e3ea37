import { NoServerError, UnsuitableServerError } from '../connections/server-state.ts';
import { NoResponseError } from '../connections/within-time.ts';
import type { DatabaseLog } from '../database-log.ts';
import { isSqlError } from '../sql-errors.ts';
import type { ChangeReader } from './change-reader.ts';
import type { Freshness } from './freshness.ts';
import type { AnnouncedWork, PodcastChange } from './podcast-changes.sql.ts';

export interface ChangeReceiver {
  onChange(change: PodcastChange): void;
  onWork(work: AnnouncedWork): void;
  /** Any podcast may have changed, and any job may have work. */
  onGap(): void;
}

// Changes must be visible within a second of their commit; the rest is for the request itself.
const FRESH_FOR_MS = 800;
// Refreshing this early means that no request has to wait.
const REFRESH_AFTER_MS = 400;
// As long as clients may cache a response.
const KEPT_WHILE_AWAY_MS = 60_000;
const RETRY_MS = 500;
// Refreshes while idle too, so that an outage finds caches that may still be served.
const IDLE_REFRESH_MS = 10_000;

const unreachable = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Confirms that caches are current by asking the database for changes: one statement for all
 * podcasts and jobs, while anybody needs it, whether or not notifications arrive.
 */
export class ChangeConfirmer implements Freshness, AsyncDisposable {
  readonly #reader: Pick<ChangeReader, 'read' | 'sweep' | typeof Symbol.asyncDispose>;
  readonly #receiver: ChangeReceiver;
  readonly #log: DatabaseLog;
  readonly #tryPastPooler: (() => Promise<void>) | undefined;
  /** By performance.now(), which is monotonic. */
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  #attempt: Promise<void> | undefined;
  #trouble: { readonly error: unknown; readonly isAway: boolean } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #watchers = 0;

  /** `tryPastPooler`: connects to the server without the pooler that the reader uses. */
  constructor(
    reader: Pick<ChangeReader, 'read' | 'sweep' | typeof Symbol.asyncDispose>,
    receiver: ChangeReceiver,
    log: DatabaseLog,
    tryPastPooler?: () => Promise<void>,
  ) {
    this.#reader = reader;
    this.#receiver = receiver;
    this.#log = log;
    this.#tryPastPooler = tryPastPooler;
  }

  isConfirmed(): boolean {
    const ageMs = performance.now() - this.#confirmedAtMs;
    if (ageMs > REFRESH_AFTER_MS && this.#trouble === undefined) void this.#ask();
    return ageMs <= (this.#trouble?.isAway === true ? KEPT_WHILE_AWAY_MS : FRESH_FOR_MS);
  }

  async confirm(): Promise<void> {
    const calledAtMs = performance.now();
    // At most twice: a read that was running may have started too early.
    while (this.#confirmedAtMs < calledAtMs - FRESH_FOR_MS) {
      if (this.#trouble === undefined) await this.#ask();
      else if (this.isConfirmed()) return;
      else throw this.#trouble.error;
    }
  }

  keepAsking(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) void this.#ask();
    let isOver = false;
    return () => {
      if (!isOver) this.#watchers -= 1;
      isOver = true;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#reader[Symbol.asyncDispose]();
    await this.#attempt;
  }

  /** Never rejects; the error is in #trouble. */
  #ask(): Promise<void> {
    this.#attempt ??= this.#read().finally(() => {
      this.#attempt = undefined;
      clearTimeout(this.#timer);
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => void this.#ask(), this.#pauseMs());
      this.#timer.unref();
    });
    return this.#attempt;
  }

  #pauseMs(): number {
    if (this.#trouble !== undefined) return RETRY_MS;
    return this.#watchers > 0 ? REFRESH_AFTER_MS : IDLE_REFRESH_MS;
  }

  async #read(): Promise<void> {
    try {
      const { asOfMs, isComplete, changes, work } = await this.#reader.read();
      if (isComplete) {
        for (const change of changes) this.#receiver.onChange(change);
        for (const announced of work) this.#receiver.onWork(announced);
      } else this.#receiver.onGap();
      this.#confirmedAtMs = asOfMs;
      if (this.#trouble !== undefined) this.#log.info({}, 'cached data can be confirmed again');
      this.#trouble = undefined;
    } catch (error) {
      this.#fail(error, isGone(error) || (await this.#isGonePastPooler()));
      return;
    }
    await this.#reader.sweep().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'could not delete old changes');
    });
  }

  /** A pooler keeps clients waiting, or refuses them for reasons of its own, when its server is gone. */
  async #isGonePastPooler(): Promise<boolean> {
    if (this.#tryPastPooler === undefined) return false;
    return await this.#tryPastPooler().then(() => false, isGone);
  }

  #fail(error: unknown, isAway: boolean): void {
    if (this.#trouble === undefined && !this.#isClosed) {
      this.#log.warn({ err: error }, 'cached data cannot be confirmed');
    }
    this.#trouble = { error, isAway };
  }
}

/**
 * Whether no client can make changes: connections are refused or closed, or the server is shutting
 * down. After any other response, the server still accepts changes from other clients; so may one
 * that does not respond, because the network may be down for this process only. The same is true of each
 * of several servers; one that is read-only accepts changes from nobody.
 */
function isGone(error: unknown): boolean {
  if (error instanceof NoServerError) return error.failures.every(isGone);
  if (error instanceof UnsuitableServerError) return error.isReadOnly;
  if (isSqlError(error)) return error.code.startsWith('57P');
  if (!(error instanceof Error) || error instanceof NoResponseError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return !unreachable.has(code) && !error.message.includes('timeout');
}
