import { inBatches } from '../../../lib/in-batches.ts';
import { readBeginning } from '../../../lib/read-beginning.ts';
import {
  OutboundError,
  type OutboundRequest,
} from '../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../foundation/context.ts';
import { retryAfter } from '../../foundation/sending/index.ts';
import type { NotificationCounts } from './notification-counts.ts';
import {
  type EndedTelling,
  endTelling,
  releaseTold,
  type ToldRow,
  type ToldTable,
} from './told-rows.sql.ts';

const minute = 60;
const hour = 60 * minute;
/** The pauses after each failure in a row, in seconds (NOTIFY-5). */
const delaysSeconds = [...[minute, 5 * minute, 30 * minute], ...[2 * hour, 6 * hour, 12 * hour]];
/** The pause after a failure of ours. */
const pauseMs = 5_000;

/** The status of the response, or a short error without secrets. */
export interface Told {
  readonly status: number | null;
  readonly error: string;
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

/** The body says nothing, but after a short one the connection can be used again. */
const readOfBody = { mostBytes: 16_000, timeoutMs: 1_000 };

/** Sends a request. Only the status of the response matters. Rejects if the signal aborts. */
export async function tell(
  { outbound }: Context,
  url: string,
  request: Omit<OutboundRequest, 'maxBytes'>,
  signal: AbortSignal,
): Promise<Told> {
  try {
    // Only the beginning of the body is read, so its size does not matter.
    const rules = { maxBytes: Number.POSITIVE_INFINITY, keepsConnection: true };
    const response = await outbound.request(url, { ...request, ...rules, signal });
    await readBeginning(response.body, readOfBody);
    return { status: response.status, error: `${response.status}` };
  } catch (error) {
    if (error instanceof OutboundError && !signal.aborted)
      return { status: null, error: error.reason };
    throw error;
  }
}

/** A row waits for others during a small part of the time that a request takes. */
const batches = { mostAtOnce: 64, pauseMs: 20 };

/** Of statements about many rows. */
export const inRowBatches = <Row, Result>(
  work: (rows: readonly Row[]) => Promise<readonly Result[]>,
): ((row: Row) => Promise<Result>) => inBatches(batches, work);

/** Stores what came of requests, in as few statements as there is time for. */
export type EndTelling = (ended: EndedTelling) => Promise<void>;

export function createEndTelling({ db }: Context, table: ToldTable): EndTelling {
  return inRowBatches(async (ended: readonly EndedTelling[]) => {
    await endTelling(db, table, ended);
    return ended.map(() => undefined);
  });
}

/** A row that was notified of a feed, and what for. */
export interface Telling {
  readonly row: ToldRow;
  /** For metrics. */
  readonly label: string;
  /** Of the feed. */
  readonly digest: Buffer;
  /** Before this request. */
  readonly failures: number;
  readonly counts: NotificationCounts;
}

/** Stores what came of it, and when to try again. */
export async function storeTold(
  ctx: Context,
  end: EndTelling,
  { row, label, digest, failures: before, counts }: Telling,
  { status, error }: Told,
): Promise<void> {
  const at = ctx.clock.now();
  const hasArrived = isSuccess(status);
  counts.add(label, hasArrived ? 'sent' : 'failed');
  if (hasArrived) {
    const arrived = { digest, failures: 0, retryAt: null, error: null };
    return await end({ row, at, status, ...arrived });
  }
  const failures = before + 1;
  const retryAt = retryAfter(delaysSeconds, failures, at);
  await end({ row, at, digest: null, failures, retryAt, status, error });
  const fields = { podcastId: row.podcastId, label, failures, reason: error };
  ctx.log.debug(fields, 'a notification of a feed did not arrive');
}

/**
 * Runs `work` for a claimed row. After a failure of ours it becomes due again soon; if the database is
 * away, when the claim ends.
 */
export async function withRow(
  ctx: Context,
  table: ToldTable,
  row: ToldRow,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const dueAt = new Date(ctx.clock.now().getTime() + (signal.aborted ? 0 : pauseMs));
    await releaseTold(ctx.db, table, row, dueAt).catch(() => undefined);
    if (!signal.aborted) throw error;
  }
}
