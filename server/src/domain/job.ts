import type { Static, TObject } from 'typebox';
import type { Context } from './context.ts';

/** A piece of background work as data: a name, what it is told, how it is tried, and the verb. */
export interface Job<Payload extends TObject = TObject> {
  /** Also its queue's; never changed, because jobs outlive the process that ordered them. */
  readonly name: string;
  readonly payload: Payload;
  /** Tries after a first that failed; 0 where something else sees to it. */
  readonly retries: number;
  readonly retryDelaySeconds?: number;
  /** Longer than this, it is told to stop and counts as failed. At most 24 hours. */
  readonly timeoutSeconds: number;
  /** How many of it one process does at once. */
  readonly concurrency: number;
  /** `tools.signal` aborts when the process is to stop, or the time is up. */
  run(ctx: Context, payload: Static<Payload>, tools: JobTools): Promise<void>;
}

export interface JobTools {
  readonly signal: AbortSignal;
  /** Orders another job; with a key, of those that wait there is one for each key. */
  order<Other extends TObject>(
    job: Job<Other>,
    payload: Static<Other>,
    key?: string,
  ): Promise<void>;
}

export function defineJob<Payload extends TObject>(job: Job<Payload>): Job<Payload> {
  return job;
}
