import { type Job as BossJob, type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { App } from '../app.ts';
import type { Context } from '../domain/foundation/context.ts';
import { DomainError } from '../domain/foundation/errors.ts';
import type { EnqueueOptions, Job, JobCounts, JobTools } from '../domain/foundation/job.ts';
import { firstError } from '../lib/first-error.ts';
import { isDatabaseAway } from '../platform/database/connections/database-away.ts';
import { OutboundError, withoutPaths } from '../platform/outbound-http/outbound-http.ts';

/** After this long without a heartbeat, a job's worker counts as dead. */
const heartbeatSeconds = 60;
const keepDoneSeconds = 24 * 3600;

/** Jobs in pg-boss: runs them here and enqueues them. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #ctx: Context;
  readonly #stopping: AbortSignal;
  readonly #counts: JobCounts;
  readonly #workers = new Map<string, string>();

  constructor(boss: PgBoss, ctx: Context, stopping: AbortSignal, counts: JobCounts) {
    this.#boss = boss;
    this.#counts = counts;
    this.#ctx = ctx;
    this.#stopping = stopping;
  }

  /** Creates the job's queue if missing, and starts to process it. */
  async work(job: Job, pollingIntervalSeconds: number): Promise<void> {
    const { name, concurrency } = job;
    const limits = {
      retryLimit: 0,
      expireInSeconds: job.timeoutSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: keepDoneSeconds,
    };
    // `short` allows one waiting job per key and any number of active ones, so that a dead process
    // does not block the others.
    await this.#boss.createQueue(name, { ...limits, policy: 'short' });
    await this.#boss.updateQueue(name, limits);
    const options = { pollingIntervalSeconds, localConcurrency: concurrency };
    const worker = await this.#boss.work<object>(name, options, async ([queued]) => {
      if (queued !== undefined) await this.#run(job, queued);
    });
    this.#workers.set(name, worker);
  }

  /** Enqueues a job for any process; this process polls at once. */
  async enqueue<Payload extends TObject>(
    { name, payload: schema, onceInSeconds }: Job<Payload>,
    payload: Static<Payload>,
    { key, delaySeconds = 0 }: EnqueueOptions = {},
  ): Promise<void> {
    Value.Assert(schema, payload);
    const singleton = key === undefined ? {} : { singletonKey: key };
    const options = {
      ...singleton,
      ...onceIn(onceInSeconds),
      startAfter: delaySeconds,
    };
    await this.#boss.send(name, payload as object, options);
    if (delaySeconds > 0) return;
    const worker = this.#workers.get(name);
    if (worker !== undefined) this.#boss.notifyWorker(worker);
  }

  async #run(job: Job, { id, data, signal }: BossJob<object>): Promise<void> {
    const { log } = this.#ctx;
    if (!Value.Check(job.payload, data)) {
      // Perhaps from another version. A retry would not help.
      log.error({ job: job.name, jobId: id }, 'a job has an invalid payload');
      return;
    }
    const tools: JobTools = {
      signal: AbortSignal.any([signal, this.#stopping]),
      enqueue: (other, payload, options) => this.enqueue(other, payload, options),
    };
    try {
      await job.run(this.#ctx, data, tools);
      this.#counts.add(job.name, 'done');
    } catch (error) {
      const about = { job: job.name, jobId: id, ...describeFailure(error) };
      // A process that stops has not failed: the next run continues.
      if (!this.#stopping.aborted) this.#counts.add(job.name, 'failed');
      if (!tools.signal.aborted) log.warn(about, 'a job failed');
      throw error;
    }
  }
}

/** Failures that are foreseen, such as a host that is away, need no stack. */
function describeFailure(thrown: unknown): object {
  const error = firstError(thrown);
  const isForeseen = error instanceof DomainError || error instanceof OutboundError;
  if (!isForeseen) return { err: error };
  const { message, cause } = error;
  const reason = withoutPaths(message);
  return { reason, ...(cause instanceof Error && { cause: withoutPaths(cause.message) }) };
}

/** The queue keeps the first of the jobs enqueued within this many seconds. */
export function onceIn(seconds: number | undefined): { singletonSeconds?: number } {
  return seconds === undefined ? {} : { singletonSeconds: seconds };
}

/**
 * How often the queue polls for jobs of other processes and due schedules. The embedded database
 * has a single session and no other process; all polling together costs it some 40 queries a
 * minute.
 */
const pollingSeconds = { embedded: 10, server: 3 } as const;
const hourSeconds = 3600;

export function pollingSecondsOf({ database }: App): number {
  return pollingSeconds[database.kind];
}

/**
 * The job queue (pg-boss) in the installation's own database, with its own pool. Whichever process
 * starts first creates and migrates its schema, `pgboss`.
 */
export function createBoss(app: App, stopping: AbortSignal): PgBoss {
  const { pool, kind } = app.database;
  const polling = pollingSecondsOf(app);
  const options: ConstructorOptions = {
    db: { executeSql: (text, values) => pool.query(text, values) },
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    cronWorkerIntervalSeconds: polling,
    // We use neither jobs that depend on others nor concurrent index builds.
    flowIntervalSeconds: hourSeconds,
    bamIntervalSeconds: hourSeconds,
    queueCacheIntervalSeconds: 10 * 60,
    // Unneeded: the embedded database is vacuumed by us, and a server has autovacuum.
    monitorVacuum: false,
    reindex: kind === 'server',
  };
  const boss = new PgBoss(options);
  // An unhandled 'error' event would end the process.
  boss.on('error', (error) => {
    // A job that did not end in time fails when the database is closed already.
    if (stopping.aborted && isDatabaseAway(error)) return;
    app.log.warn({ err: error }, 'the job queue failed');
  });
  boss.on('warning', (warning) => app.log.warn({ warning }, 'the job queue has a warning'));
  return boss;
}
