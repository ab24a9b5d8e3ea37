import type pg from 'pg';
import type { DiskRoom } from '../../blob-store/disk-room.ts';
import type { DatabaseLog } from '../database-log.ts';
import { runCheckpoint } from './checkpoint.ts';

export interface MaintenanceIntervals {
  /** How often to check whether a CHECKPOINT is due. */
  readonly checkMs: number;
  /** A CHECKPOINT is due this long after the last one, if anything was written. */
  readonly checkpointMs: number;
  /** When to run the first VACUUM, which also gathers planner statistics. */
  readonly firstVacuumMs: number;
  readonly vacuumMs: number;
}

const MINUTE_MS = 60_000;
const defaultIntervals: MaintenanceIntervals = {
  checkMs: MINUTE_MS / 2,
  checkpointMs: 5 * MINUTE_MS,
  firstVacuumMs: 5 * MINUTE_MS,
  vacuumMs: 60 * MINUTE_MS,
};
// A CHECKPOINT is due after this much WAL, which takes a second or two to replay.
const LARGE_LOG_BYTES = 32 * 1024 * 1024;
// The size of a CHECKPOINT's own WAL.
const EMPTY_LOG_BYTES = 1_024;

/**
 * The checkpointer and autovacuum of the embedded database. It uses the shared pool, one table at a
 * time, so that queries run in between.
 */
export class EmbeddedMaintenance implements AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #room: Pick<DiskRoom, 'require'>;
  readonly #log: DatabaseLog;
  readonly #intervals: MaintenanceIntervals;
  readonly #timers: NodeJS.Timeout[] = [];
  #underWay: Promise<void> = Promise.resolve();
  #stopped = false;
  #lastCheckpointAt = performance.now();

  constructor(
    { pool, room }: { readonly pool: pg.Pool; readonly room: Pick<DiskRoom, 'require'> },
    log: DatabaseLog,
    intervals: MaintenanceIntervals = defaultIntervals,
  ) {
    this.#pool = pool;
    this.#room = room;
    this.#log = log;
    this.#intervals = intervals;
    const queueVacuum = () => this.#queue(() => this.vacuum());
    this.#timers.push(
      setInterval(() => this.#queue(() => this.checkpointIfDue()), intervals.checkMs),
      setTimeout(queueVacuum, intervals.firstVacuumMs),
      setInterval(queueVacuum, intervals.vacuumMs),
    );
    for (const timer of this.#timers) timer.unref();
  }

  /** Ends running work after its current statement. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#underWay;
  }

  async checkpointIfDue(): Promise<void> {
    const { rows } = await this.#pool.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes
       from pg_control_checkpoint()`,
    );
    const bytes = rows[0]?.bytes ?? 0;
    const waitedMs = performance.now() - this.#lastCheckpointAt;
    const isTime = waitedMs >= this.#intervals.checkpointMs && bytes > EMPTY_LOG_BYTES;
    if (!isTime && bytes < LARGE_LOG_BYTES) return;
    await runCheckpoint(this.#pool, this.#room);
    this.#lastCheckpointAt = performance.now();
  }

  async vacuum(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'm') and relpersistence = 'p'`,
    );
    for (const { name } of rows) {
      if (this.#stopped) return;
      await this.#vacuumTable(name);
    }
  }

  async #vacuumTable(name: string): Promise<void> {
    try {
      await this.#pool.query(`vacuum (analyze) ${name}`);
    } catch (error) {
      // Dropped in the meantime, or damaged: continue with the other tables.
      this.#log.warn({ err: error, table: name }, 'could not vacuum a table');
    }
  }

  #queue(work: () => Promise<void>): void {
    this.#underWay = this.#underWay
      .then(() => (this.#stopped ? undefined : work()))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'database upkeep failed'));
  }
}
