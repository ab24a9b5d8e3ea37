import { earliest } from '../../../../lib/earliest.ts';
import type { Geo } from '../../../../platform/geo/geo.ts';
import type { Journal } from '../../../../platform/journal/journal.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ObservedRequest } from '../observed-request.ts';
import { DaySecrets } from './day-secrets.ts';
import { DeliveryRecorder } from './delivery-recorder.ts';
import type { DownloadCounts } from './download-counts.ts';
import { JournalFlusher } from './journal-flusher.ts';

/**
 * Counts the deliveries of this process. Disposing counts the rest within about a second, or leaves
 * it on disk for the next process. What can do neither is lost, and logged.
 */
export interface DeliveryCounter extends AsyncDisposable {
  /**
   * Resolves when a response can go to the journal as soon as it has ended: the data of locations is
   * read, and the day's secret is known if the database answers. Never rejects.
   */
  prepare(): Promise<void>;
  /** A request for audio has arrived. Call `record` or `handOver` when its response has ended. */
  begin(at: Date): void;
  /** Returns at once and never throws. */
  record(observed: ObservedRequest): void;
  /** nginx sends the response to a request of that time: it is counted by the log of nginx. */
  handOver(at: Date): void;
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
    begin: (at) => recorder.begin(at),
    record: (observed) => recorder.record(observed),
    handOver: (at) => recorder.handOver(at),
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
        ctx.log.error({ lost }, 'requests for audio are lost, because the process stops');
    },
  };
}
