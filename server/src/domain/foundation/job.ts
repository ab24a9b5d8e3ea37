import type { Static, TObject, TString } from 'typebox';
import type { Context } from './context.ts';

/**
 * A kind of background work: its name, payload and function. A failed run is not retried: what it
 * missed, the next run finds.
 */
export interface Job<Payload extends TObject = TObject> {
  /** Also the name of its queue. It never changes, because jobs outlive the process that enqueued them. */
  readonly name: string;
  readonly payload: Payload;
  /** After this long it is told to stop and counts as failed. At most 24 hours. */
  readonly timeoutSeconds: number;
  /** Runs at most once in this many seconds, in any process, however often it is enqueued. */
  readonly onceInSeconds?: number;
  /** How many run at once in one process. */
  readonly concurrency: number;
  /** `tools.signal` aborts when the process stops (by a WorkerStopsError) or the time is up. */
  run(ctx: Context, payload: Static<Payload>, tools: JobTools): Promise<void>;
}

/** Why jobs are told to stop although they have time left. */
export class WorkerStopsError extends Error {
  constructor() {
    super('the worker is stopping');
    this.name = 'WorkerStopsError';
  }
}

export interface JobTools {
  readonly signal: AbortSignal;
  enqueue<Other extends TObject>(
    job: Job<Other>,
    payload: Static<Other>,
    options?: EnqueueOptions,
  ): Promise<void>;
}

export interface EnqueueOptions {
  /** Only one job waits for each key. */
  readonly key?: string;
  readonly delaySeconds?: number;
}

/** How many runs of each job have ended in this process, for /metrics. */
export class JobCounts {
  readonly #counts = new Map<string, { done: number; failed: number }>();

  add(job: string, result: 'done' | 'failed'): void {
    const counts = this.#counts.get(job) ?? { done: 0, failed: 0 };
    counts[result] += 1;
    this.#counts.set(job, counts);
  }

  entries(): Iterable<[job: string, counts: Readonly<Record<'done' | 'failed', number>>]> {
    return this.#counts;
  }
}

type Optional = 'payload' | 'concurrency';

/** By default a job finds its work itself, and runs once at a time. */
export function defineJob<Payload extends TObject = NoPayload>(
  job: Omit<Job<Payload>, Optional> & Partial<Pick<Job<Payload>, Optional>>,
): Job<Payload> {
  return { payload: noPayload as TObject as Payload, concurrency: 1, ...job };
}

// Written as TypeBox would build them: every command loads the jobs, few run any, and loading TypeBox
// takes longer than most commands.

/** For a job that finds its work itself. */
type NoPayload = TObject<Record<never, never>>;
const noPayload = { type: 'object', properties: {} } as unknown as NoPayload;

/** For a job about one import. */
export const importPayload = {
  type: 'object',
  required: ['importId'],
  properties: { importId: { type: 'string', format: 'uuid' } },
} as unknown as TObject<{ importId: TString }>;
