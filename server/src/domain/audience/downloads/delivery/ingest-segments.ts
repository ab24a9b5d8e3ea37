import { createYielder } from '../../../../lib/time-slices.ts';
import { UnfitValueError } from '../../../../platform/database/binary-values.ts';
import { isSqlError } from '../../../../platform/database/sql-errors.ts';
import { inSavepoint } from '../../../../platform/database/transaction.ts';
import type { Segment } from '../../../../platform/journal/journal.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import type { AudioRequest } from '../audio-request.ts';
import { type Batch, type Ingested, ingestBatches, ingestRequests } from '../ingest-requests.ts';
import type { DownloadCounts } from './download-counts.ts';
import { tryParseRequestLine } from './request-line.ts';
import { UnitedRequests } from './united-requests.ts';

/** PostgreSQL's classes 22, 23 and 54: it refuses the data, and would do so again. */
const refusedData = /^(?:2[23]|54)/;

/** The sums stay locked, and the embedded database busy, for about twice this time. */
const turnMs = 250;

const delivery = { isDelivery: true };

interface IngestParts {
  readonly counts: DownloadCounts;
  /** The segment's file cannot be read. It stays where it is. */
  readonly onUnread: (segment: Segment, error: unknown) => void;
}

/**
 * Brings the first segments into the sums, as many as one transaction should take, and removes them.
 * Returns their number, with that of the files among them that cannot be read. Rejects, and leaves
 * them, while the database is away. A kill at any moment changes nothing: a segment's id is that of
 * its batch.
 */
export async function ingestSegments(
  ctx: Context,
  segments: readonly Segment[],
  parts: IngestParts,
): Promise<number> {
  let reader = new SegmentReader();
  try {
    const ingested = await ingestBatches(
      ctx,
      () => {
        reader = new SegmentReader();
        return reader.batches(segments);
      },
      delivery,
    );
    parts.counts.add(ingested);
    for (const segment of reader.taken) await segment.remove();
    reader.report(ctx, parts);
  } catch (error) {
    if (!isRefused(error)) throw error;
    for (const segment of segments.slice(0, reader.tried)) await ingestAlone(ctx, segment, parts);
  }
  return reader.tried;
}

/** Reads segments as batches, and counts unreadable lines and files that are gone. */
class SegmentReader {
  /** The segments that became batches. */
  readonly taken: Segment[] = [];
  /** The number of segments that became batches or cannot be read. */
  tried = 0;
  readonly #unread: { readonly segment: Segment; readonly error: unknown }[] = [];
  #unreadable = 0;
  #gone = 0;

  /** Ends with the segment after which the time of a turn is over. */
  async *batches(segments: readonly Segment[]): AsyncGenerator<Batch> {
    const startedAtMs = performance.now();
    for (const segment of segments) {
      const read = await this.#tryRead(segment);
      this.tried += 1;
      if (read !== undefined) {
        this.taken.push(segment);
        yield { id: segment.id, requests: read.requests };
      }
      if (performance.now() > startedAtMs + turnMs) return;
    }
  }

  report(ctx: Context, { counts, onUnread }: IngestParts): void {
    for (const { segment, error } of this.#unread) onUnread(segment, error);
    counts.dropped += this.#unreadable;
    if (this.#unreadable > 0) {
      ctx.log.error({ unreadable: this.#unreadable }, 'lines of the download journal are damaged');
    }
    if (this.#gone > 0) {
      const message =
        'files of the download journal are missing: requests recorded only there are not counted';
      ctx.log.error({ files: this.#gone }, message);
    }
  }

  /** Undefined: it cannot be read. */
  async #tryRead(segment: Segment): Promise<ReadSegment | undefined> {
    try {
      const read = await readSegment(segment);
      this.#unreadable += read.unreadable;
      if (read.isGone) this.#gone += 1;
      return read;
    } catch (error) {
      this.#unread.push({ segment, error });
      return undefined;
    }
  }
}

/**
 * Ingests the segment as one batch, in one transaction, without the requests that the database
 * refuses.
 */
async function ingestAlone(ctx: Context, segment: Segment, parts: IngestParts): Promise<void> {
  const { counts } = parts;
  const reader = new SegmentReader();
  for await (const batch of reader.batches([segment])) {
    const { ingested, refusals } = await ingestAcceptable(ctx, batch);
    for (const part of ingested) counts.add(part);
    for (const { err, requests } of refusals) {
      counts.dropped += requests;
      ctx.log.error({ err }, 'the database rejected an audio request');
    }
  }
  for (const taken of reader.taken) await taken.remove();
  reader.report(ctx, parts);
}

interface Outcome {
  readonly ingested: Ingested[];
  /** The refused requests. */
  readonly refusals: { readonly err: unknown; readonly requests: number }[];
}

async function ingestAcceptable(ctx: Context, { id, requests }: Batch): Promise<Outcome> {
  return await transact(ctx, async (tx) => {
    const outcome: Outcome = { ingested: [], refusals: [] };
    const { newBatches } = await ingestRequests(tx, { id, requests: [] }, delivery);
    if (newBatches > 0) await ingestPart(tx, { id: `${id}.`, requests }, outcome);
    return outcome;
  });
}

/** Tries refused requests again in halves, so that one of them does not affect others. */
async function ingestPart(tx: Context, { id, requests }: Batch, outcome: Outcome): Promise<void> {
  try {
    const ingest = () => ingestRequests(tx, { id, requests }, delivery);
    outcome.ingested.push(await inSavepoint(tx.db, ingest));
  } catch (error) {
    if (!isRefused(error)) throw error;
    const [request, ...more] = requests;
    if (request === undefined) return;
    if (more.length === 0) {
      outcome.refusals.push({ err: error, requests: request.requests });
      return;
    }
    const middle = requests.length >>> 1;
    await ingestPart(tx, { id: `${id}0`, requests: requests.slice(0, middle) }, outcome);
    await ingestPart(tx, { id: `${id}1`, requests: requests.slice(middle) }, outcome);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof UnfitValueError || (isSqlError(error) && refusedData.test(error.code));
}

interface ReadSegment {
  /** Those of a listener for the same audio are united. */
  readonly requests: readonly AudioRequest[];
  /** The number of lines that are damaged. */
  readonly unreadable: number;
  /** Somebody has removed the file. */
  readonly isGone: boolean;
}

/** Rejects if the file cannot be read. Yields to other tasks. */
async function readSegment(segment: Segment): Promise<ReadSegment> {
  const maybeYield = createYielder();
  const requests = new UnitedRequests();
  let unreadable = 0;
  const lines = await segment.readLines();
  for (const line of lines ?? []) {
    const request = tryParseRequestLine(line);
    if (request === undefined) unreadable += 1;
    else requests.add(request);
    // To await nothing after each line would take as long as to read it.
    const pause = maybeYield();
    if (pause !== undefined) await pause;
  }
  return { requests: requests.take(), unreadable, isGone: lines === undefined };
}
