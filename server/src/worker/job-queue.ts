import type { Job as BossJob, PgBoss } from 'pg-boss';
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { Context } from '../domain/context.ts';
import type { Job, JobTools } from '../domain/job.ts';

/** Without a sign of life for so long, whoever does a job is taken to be dead. */
const heartbeatSeconds = 60;
const keepDoneSeconds = 24 * 3600;

/** Jobs in pg-boss: what this process does of them, and what it orders. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #ctx: Context;
  readonly #stopping: AbortSignal;
  readonly #workers = new Map<string, string>();

  constructor(boss: PgBoss, ctx: Context, stopping: AbortSignal) {
    this.#boss = boss;
    this.#ctx = ctx;
    this.#stopping = stopping;
  }

  /** Makes the job's queue where it is missing, and begins to do what is in it. */
  async work(job: Job, pollingIntervalSeconds: number): Promise<void> {
    const { name, concurrency } = job;
    const limits = {
      retryLimit: job.retries,
      retryDelay: job.retryDelaySeconds ?? 0,
      expireInSeconds: job.timeoutSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: keepDoneSeconds,
    };
    // `short`: of those that wait there is one for each key; of those under way any number, so that
    // a dead process does not keep the living from its work.
    await this.#boss.createQueue(name, { ...limits, policy: 'short' });
    await this.#boss.updateQueue(name, limits);
    const options = { pollingIntervalSeconds, localConcurrency: concurrency };
    const worker = await this.#boss.work<object>(name, options, async ([order]) => {
      if (order !== undefined) await this.#do(job, order);
    });
    this.#workers.set(name, worker);
  }

  /** Puts a job where any process finds it; this one looks at once. */
  async order<Payload extends TObject>(
    { name, payload: schema }: Job<Payload>,
    payload: Static<Payload>,
    key?: string,
  ): Promise<void> {
    Value.Assert(schema, payload);
    const singleton = key === undefined ? {} : { singletonKey: key };
    await this.#boss.send(name, payload as object, singleton);
    const worker = this.#workers.get(name);
    if (worker !== undefined) this.#boss.notifyWorker(worker);
  }

  async #do(job: Job, { id, data, signal }: BossJob<object>): Promise<void> {
    const { log } = this.#ctx;
    if (!Value.Check(job.payload, data)) {
      // Of another version, perhaps. To try it again would not change it.
      log.error({ job: job.name, jobId: id }, 'a job is not what it should be');
      return;
    }
    const tools: JobTools = {
      signal: AbortSignal.any([signal, this.#stopping]),
      order: (other, payload, key) => this.order(other, payload, key),
    };
    try {
      await job.run(this.#ctx, data, tools);
    } catch (error) {
      if (!tools.signal.aborted) log.warn({ err: error, job: job.name, jobId: id }, 'a job failed');
      throw error;
    }
  }
}
