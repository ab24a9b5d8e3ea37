import type { DatabaseServers, ServerLine } from '../connections/database-servers.ts';
import { isReadOnlyRefusal } from '../connections/read-only.ts';
import { withinTime } from '../connections/within-time.ts';
import {
  type ChangesSince,
  deleteChangesBefore,
  deleteForeignChanges,
  selectChangesSince,
} from './podcast-changes.sql.ts';

/** The changes of all podcasts up to a moment. */
export interface News extends Omit<ChangesSince, 'snapshot' | 'isReadOnly'> {
  /** By performance.now(): includes everything committed before, together with earlier reads. */
  readonly asOfMs: number;
}

const ANSWER_TIMEOUT_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const LOOK_FOR_PRIMARY_MS = 2_000;

/**
 * Reads what has changed since its last read, over a connection of its own. A snapshot is valid
 * only on its own server, so it is dropped with the connection; the first read of each connection
 * is incomplete.
 */
export class ChangeReader implements AsyncDisposable {
  readonly #servers: DatabaseServers;
  readonly #onReplaced: () => void;
  #line: ServerLine | undefined;
  #snapshot: string | undefined;
  #old = { snapshot: '', atMs: 0 };
  #hasRead = false;
  #openedAtMs = 0;
  #isClosed = false;

  /** `onReplaced`: a connection was lost, perhaps silently, and replaced. */
  constructor(servers: DatabaseServers, onReplaced: () => void) {
    this.#servers = servers;
    this.#onReplaced = onReplaced;
  }

  /**
   * One read at a time. Replaces a failed connection, once, and one to a server that accepts no writes,
   * because after a switchover only a new connection finds the primary: every two seconds, or at once if
   * such a server is not to be used.
   */
  async read(): Promise<News> {
    if (this.#line !== undefined) {
      try {
        const { isReadOnly, ...news } = await this.#readBy(this.#line);
        if (!isReadOnly || !this.#isToBeReplaced()) return news;
      } catch {
        // A new connection shows what is the matter.
      }
      // Its server may have become read-only, or its machine may be gone.
      this.#servers.leave(this.#line.server);
      this.#drop();
    }
    if (this.#isClosed) throw new Error('Connection terminated: it is closed');
    const line = await this.#servers.open();
    this.#line = line;
    try {
      if (this.#isClosed) throw new Error('Connection terminated: it is closed');
      this.#openedAtMs = performance.now();
      await withinTime(deleteForeignChanges(line.client), ANSWER_TIMEOUT_MS).catch(
        (error: unknown) => {
          if (!isReadOnlyRefusal(error)) throw error;
        },
      );
      const { isReadOnly: _, ...news } = await this.#readBy(line);
      if (this.#hasRead) this.#onReplaced();
      this.#hasRead = true;
      return news;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Occasionally deletes changes that every reader has seen. */
  async sweep(): Promise<void> {
    const { snapshot, atMs } = this.#old;
    if (this.#line === undefined || performance.now() - atMs < SWEEP_EVERY_MS) return;
    this.#old = { snapshot: this.#snapshot ?? '', atMs: performance.now() };
    if (snapshot === '') return;
    await withinTime(deleteChangesBefore(this.#line.client, snapshot), ANSWER_TIMEOUT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#line?.[Symbol.asyncDispose]();
  }

  #isToBeReplaced(): boolean {
    if (!this.#servers.mayBeReadOnly) return true;
    return performance.now() - this.#openedAtMs > LOOK_FOR_PRIMARY_MS;
  }

  async #readBy(line: ServerLine): Promise<News & Pick<ChangesSince, 'isReadOnly'>> {
    const asOfMs = performance.now();
    const read = selectChangesSince(line.client, this.#snapshot, line.sessions);
    const { snapshot, ...news } = await withinTime(read, ANSWER_TIMEOUT_MS);
    this.#snapshot = snapshot;
    return { ...news, asOfMs };
  }

  #drop(): void {
    this.#line?.destroy();
    this.#line = undefined;
    this.#snapshot = undefined;
    this.#old = { snapshot: '', atMs: 0 };
  }
}
