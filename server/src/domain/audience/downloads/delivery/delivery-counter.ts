import { reportRarely } from '../../../../lib/report-rarely.ts';
import { earliest } from '../../../../lib/time.ts';
import { startOfDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Geo } from '../../../../platform/geo/geo.ts';
import type { AdoptedJournal, Journal, Segment } from '../../../../platform/journal/journal.ts';
import type { Context } from '../../../foundation/context.ts';
import { openDays } from '../days.ts';
import type { ObservedRequest, OpenResponse } from '../observed-request.ts';
import { DaySecrets } from './day-secrets.ts';
import { DeliveryRecorder } from './delivery-recorder.ts';
import type { DownloadCounts } from './download-counts.ts';
import { ingestSegments } from './ingest-segments.ts';
import { deleteLostWriters, deleteWriter, upsertWriter } from './writers.sql.ts';

/**
 * Counts the deliveries of this process. Disposing counts the rest within about a second, or leaves
 * it on disk for the next process. What can do neither is lost, and logged.
 */
export interface DeliveryCounter extends AsyncDisposable {
  /**
   * Resolves when a response can go to the journal as soon as it has ended: the data of locations is
   * read, and the day's secret is known if the database responds. Never rejects.
   */
  prepare(): Promise<void>;
  /**
   * A request for audio has arrived. Call `record` or `handOver` when its response has ended. With
   * `response` if it has not yet.
   */
  begin(at: Date, response?: OpenResponse): void;
  /** `response`: that of `begin`. Returns at once and never throws. */
  record(observed: ObservedRequest, response?: OpenResponse): void;
  /** nginx sends the response to a request of that time: it is counted by the log of nginx. */
  handOver(at: Date, response?: OpenResponse): void;
  /** Counts all responses that have ended by now. Never rejects. */
  flush(): Promise<void>;
  metrics(): JournalMetrics;
}

export interface JournalMetrics {
  /** The age of the oldest response that is not in the sums; 0: there is none. */
  readonly lagSeconds: number;
  readonly journalBytes: number;
  /** Bytes that a newer version left on the disk, and that only a newer version can count. */
  readonly newerJournalBytes: number;
  readonly dropped: number;
}

const stopWithinMs = 1_500;

/** Create one for each process. It closes the journal. */
export function createDeliveryCounter(
  ctx: Context,
  {
    geo,
    journal,
    counts,
  }: { readonly geo: Geo; readonly journal: Journal; readonly counts: DownloadCounts },
): DeliveryCounter {
  const secrets = new DaySecrets(ctx);
  const now = () => ctx.clock.now();
  const { clients } = ctx.installation;
  const parts = { geo, journal, secrets, counts, clients, now, log: ctx.log };
  const recorder = new DeliveryRecorder(parts);
  const flusher = new JournalFlusher({ ctx, journal, secrets, recorder, counts });
  const countDropped = () => counts.dropped + journal.droppedCount;
  flusher.start();
  return {
    async prepare() {
      // Any address: the first look-up loads the data.
      await Promise.all([geo.locate('192.0.2.1'), secrets.prepare().catch(() => undefined)]);
    },
    begin: (at, response) => recorder.begin(at, response),
    record: (observed, response) => recorder.record(observed, response),
    handOver: (at, response) => recorder.handOver(at, response),
    flush: () => flusher.flush(),
    metrics() {
      const since = earliest([journal.waitingSince, recorder.waitingSince]) ?? now();
      return {
        lagSeconds: Math.max(0, now().getTime() - since.getTime()) / 1_000,
        journalBytes: journal.sizeBytes,
        newerJournalBytes: journal.newerBytes,
        dropped: countDropped(),
      };
    },
    async [Symbol.asyncDispose]() {
      await flusher.stop(stopWithinMs);
      const before = countDropped();
      recorder.close();
      await journal[Symbol.asyncDispose]();
      const lost = countDropped() - before;
      if (lost > 0)
        ctx.log.error({ lost }, 'audio requests were lost because the process is stopping');
    },
  };
}

/** Twice the time makes larger batches: each request then costs the database about 40 % less. */
const everyMs = 2_000;
/** The pause while the database is away: waiting segments are counted so soon after it is back. */
const maxPauseMs = 5_000;
const adoptEveryMs = 30_000;
const writeRowEveryMs = 60_000;

interface FlusherParts {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly secrets: DaySecrets;
  readonly recorder: DeliveryRecorder;
  readonly counts: DownloadCounts;
}

/** Ingests journals: that of this process, and those of processes that have ended. */
class JournalFlusher {
  readonly #parts: FlusherParts;
  #turn = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #failures = 0;
  #adoptedAtMs = Number.NEGATIVE_INFINITY;
  /** What its row says; undefined: it has no row yet. */
  #completeUntil: Date | undefined;

  readonly #report = reportRarely((error: unknown) => {
    const { ctx, journal } = this.#parts;
    const { sizeBytes } = journal;
    ctx.log.warn({ err: error, sizeBytes }, 'audio requests are waiting on disk to be counted');
  });

  readonly #reportUnread = reportRarely(({ id }: Segment, error: unknown) => {
    const message = 'a file of audio requests cannot be read; it will be retried';
    this.#parts.ctx.log.warn({ err: error, file: id }, message);
  });

  readonly #reportNewer = reportRarely((bytes: number) => {
    const message = 'audio requests from a newer version were found and left alone';
    this.#parts.ctx.log.warn({ bytes }, message);
  });

  constructor(parts: FlusherParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Counts all responses that have ended by now, after running work. Never rejects. */
  flush(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#tryTurn());
    return this.#turn;
  }

  /**
   * Counts the rest, if the database accepts it in this time. Otherwise it stays on disk, and is lost
   * if the disk has no room.
   */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const { promise: deadline, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const counting = this.flush().then(() => this.#countUnwritten());
    const leaving = counting.then(() => this.#leave());
    const hasLeft = await Promise.race([leaving, deadline.then(() => false)]);
    // The next process finds the row by the folder.
    if (!hasLeft) this.#parts.journal.keepFolder();
    clearTimeout(timer);
  }

  /** What the disk does not take may have room in the database. Never rejects. */
  async #countUnwritten(): Promise<void> {
    const unwritten = await this.#parts.journal.handOverUnwritten();
    if (unwritten === undefined) return;
    await this.#ingest([unwritten]).catch((error: unknown) => this.#report(error));
  }

  #schedule(afterMs: number): void {
    if (this.#isStopping) return;
    this.#timer = setTimeout(async () => {
      await this.flush();
      this.#schedule(Math.min(everyMs * 2 ** this.#failures, maxPauseMs));
    }, afterMs).unref();
  }

  async #tryTurn(): Promise<void> {
    try {
      await this.#flushAll();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#report(error);
    }
  }

  async #flushAll(): Promise<void> {
    const { journal, secrets, recorder } = this.#parts;
    await this.#adopt();
    await secrets.prepare().catch((error: unknown) => this.#report(error));
    recorder.endDays();
    await recorder.retry();
    if (this.#completeUntil === undefined) await this.#writeRow(this.#findCompleteUntil());
    // Full segments of an outage first: the present one grows until it is their turn.
    await this.#ingest(journal.segments);
    await journal.completeSegment();
    await this.#ingest(journal.segments);
    // What is wrong with one of them keeps neither the others nor this process from continuing.
    for (const left of journal.adopted)
      await this.#ingestAdopted(left).catch((error: unknown) => this.#report(error));
    await this.#keepRow();
  }

  async #adopt(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#adoptedAtMs + adoptEveryMs) return;
    this.#adoptedAtMs = nowMs;
    const { journal } = this.#parts;
    await journal.adopt();
    if (journal.newerBytes > 0) this.#reportNewer(journal.newerBytes);
  }

  async #ingest(segments: Iterable<Segment>): Promise<void> {
    const { ctx, counts } = this.#parts;
    const parts = { counts, onUnread: this.#reportUnread };
    let left = [...segments];
    while (left.length > 0) left = left.slice(await ingestSegments(ctx, left, parts));
  }

  async #ingestAdopted(left: AdoptedJournal): Promise<void> {
    await this.#ingest(left.segments);
    // The rest cannot be read now. What it holds is missing, as the writer's row says.
    if (left.segments.size > 0) return;
    await deleteWriter(this.#parts.ctx.db, left.id);
    await left.remove();
  }

  #findCompleteUntil(): Date {
    const { ctx, journal, recorder } = this.#parts;
    const now = ctx.clock.now();
    return earliest([now, journal.earliestAt, recorder.earliestAt]) ?? now;
  }

  /** Says so when a day is complete, and once a minute: a row that is behind is not wrong. */
  async #keepRow(): Promise<void> {
    const written = this.#completeUntil;
    const until = this.#findCompleteUntil();
    const isBehind =
      written === undefined ||
      utcDayOf(until) !== utcDayOf(written) ||
      until.getTime() >= written.getTime() + writeRowEveryMs;
    if (isBehind) await this.#writeRow(until);
  }

  async #writeRow(until: Date): Promise<void> {
    const { ctx, journal } = this.#parts;
    await upsertWriter(ctx.db, journal.id, until);
    this.#completeUntil = until;
    const { first } = openDays(ctx.clock.now());
    await deleteLostWriters(ctx.db, startOfDay(first));
  }

  /**
   * Without a row this process says nothing of what is complete: nothing of its own may be left. False: the
   * row is still there.
   */
  async #leave(): Promise<boolean> {
    const { ctx, journal, recorder } = this.#parts;
    if (journal.earliestAt !== undefined || recorder.earliestAt !== undefined) return false;
    try {
      await deleteWriter(ctx.db, journal.id);
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }
}
