import {
  OutboundError,
  type OutboundRequest,
} from '../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../foundation/context.ts';
import { retryAfter } from '../../foundation/sending/index.ts';
import type { NotificationCounts } from './notification-counts.ts';
import { endFailed, endTold, releaseTold, type ToldRow, type ToldTable } from './told-rows.sql.ts';

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

/** Sends a request and reads nothing of the response's body. Rejects if the signal aborts. */
export async function tell(
  { outbound }: Context,
  url: string,
  request: Omit<OutboundRequest, 'maxBytes'>,
  signal: AbortSignal,
): Promise<Told> {
  try {
    // The body isn't read, so its size does not matter.
    const maxBytes = Number.POSITIVE_INFINITY;
    const response = await outbound.request(url, { ...request, maxBytes, signal });
    response.body.destroy();
    return { status: response.status, error: `${response.status}` };
  } catch (error) {
    if (error instanceof OutboundError && !signal.aborted)
      return { status: null, error: error.reason };
    throw error;
  }
}

/** A row that was told of a feed, and what for. */
export interface Telling {
  readonly table: ToldTable;
  readonly row: ToldRow;
  /** For metrics. */
  readonly label: string;
  /** Of the feed. */
  readonly digest: Buffer;
  /** Before this request. */
  readonly failures: number;
}

/** Stores what came of it, and when to try again. */
export async function storeTold(
  ctx: Context,
  { table, row, label, digest, failures: before }: Telling,
  told: Told,
  counts: NotificationCounts,
): Promise<void> {
  const at = ctx.clock.now();
  const { status } = told;
  counts.add(label, isSuccess(status) ? 'sent' : 'failed');
  if (status !== null && isSuccess(status))
    return await endTold(ctx.db, table, row, { digest, status, at });
  const failures = before + 1;
  const retryAt = retryAfter(delaysSeconds, failures, at);
  await endFailed(ctx.db, table, row, { ...told, failures, at, retryAt });
  const fields = { podcastId: row.podcastId, label, failures, reason: told.error };
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
