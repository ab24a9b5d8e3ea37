import type { DatabaseServer } from '../../../lib/database-url.ts';

interface Left {
  readonly pid: number;
  readonly server: DatabaseServer | undefined;
  /** By performance.now(). */
  readonly lostAtMs: number;
}

type End = (
  pids: readonly number[],
  server: DatabaseServer | undefined,
  lostSecondsAgo: number,
) => Promise<void>;

const RETRY_MS = 1_000;
/** Later, the server itself ends them (`idle_in_transaction_session_timeout`). */
const TRY_FOR_MS = 5 * 60_000;

/**
 * Ends transactions that silently lost connections have left open on the server. It doesn't know that the
 * connection is gone, and would keep their locks for minutes.
 */
export class LeftTransactions implements Disposable {
  readonly #end: End;
  readonly #left = new Set<Left>();
  #timer: NodeJS.Timeout | undefined;

  constructor(end: End) {
    this.#end = end;
  }

  note(pid: number, server: DatabaseServer | undefined): void {
    this.#left.add({ pid, server, lostAtMs: performance.now() });
    this.#plan();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#left.clear();
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#left.size === 0) return;
    this.#timer = setTimeout(() => void this.#try(), RETRY_MS);
    this.#timer.unref();
  }

  /** Never rejects. */
  async #try(): Promise<void> {
    const groups = Map.groupBy(this.#left, ({ server }) => server);
    for (const [server, group] of groups) {
      const nowMs = performance.now();
      const lostMs = nowMs - Math.max(...group.map(({ lostAtMs }) => lostAtMs));
      const pids = group.map(({ pid }) => pid);
      const isDone = await this.#end(pids, server, lostMs / 1_000).then(
        () => true,
        () => false,
      );
      for (const one of group)
        if (isDone || nowMs - one.lostAtMs > TRY_FOR_MS) this.#left.delete(one);
    }
    this.#timer = undefined;
    this.#plan();
  }
}
