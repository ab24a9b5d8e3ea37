import { takeTurns } from '../../../lib/take-turns.ts';
import { isSqlError } from '../../../platform/database/sql-errors.ts';
import type { Segment } from '../../../platform/journal/journal.ts';
import type { Context } from '../../context.ts';
import type { AudioRequest } from '../audio-request.ts';
import { ingestRequests } from '../ingest-requests.ts';
import type { DownloadCounts } from './download-counts.ts';
import { tryParseRequestLine } from './request-line.ts';

/** PostgreSQL's classes 22, 23 and 54: what is stored is refused, not the moment. */
const refusedData = /^(?:2[23]|54)/;

/**
 * Brings a segment into the sums and removes it. Rejects, and leaves it, while the database is away.
 * A kill at any moment changes nothing: the segment's id is that of the batch.
 */
export async function ingestSegment(
  ctx: Context,
  segment: Segment,
  counts: DownloadCounts,
): Promise<void> {
  const { requests, unreadable } = await readRequests(segment);
  await ingestPart(ctx, segment.id, requests, counts);
  await segment.remove();
  counts.dropped += unreadable;
  if (unreadable > 0) ctx.log.error({ unreadable }, 'lines of the download journal are damaged');
}

async function readRequests(
  segment: Segment,
): Promise<{ readonly requests: readonly AudioRequest[]; readonly unreadable: number }> {
  const giveWay = takeTurns();
  const requests: AudioRequest[] = [];
  const lines = await segment.readLines();
  for (const line of lines) {
    const request = tryParseRequestLine(line);
    if (request !== undefined) requests.push(request);
    await giveWay();
  }
  return { requests, unreadable: lines.length - requests.length };
}

/** One request that the database refuses costs no other: what fails is tried again in halves. */
async function ingestPart(
  ctx: Context,
  id: string,
  requests: readonly AudioRequest[],
  counts: DownloadCounts,
): Promise<void> {
  try {
    counts.add(await ingestRequests(ctx, { id, requests }));
  } catch (error) {
    if (!isSqlError(error) || !refusedData.test(error.code)) throw error;
    if (requests.length <= 1) {
      counts.dropped += requests.length;
      ctx.log.error({ err: error }, 'the database refuses a request for audio');
      return;
    }
    const middle = requests.length >>> 1;
    await ingestPart(ctx, `${id}.0`, requests.slice(0, middle), counts);
    await ingestPart(ctx, `${id}.1`, requests.slice(middle), counts);
  }
}
