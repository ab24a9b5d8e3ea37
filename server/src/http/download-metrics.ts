import { Counter, Gauge, type Registry } from 'prom-client';
import type { DownloadCounts, JournalMetrics } from '../domain/audience/downloads/index.ts';

export interface DownloadSources {
  readonly counts: DownloadCounts;
  readonly journal: () => JournalMetrics;
}

/** Adds the metrics of the download counter of this process. */
export function addDownloadMetrics(registry: Registry, { counts, journal }: DownloadSources): void {
  const prefix = 'podstead_downloads_';
  const registers = [registry];
  const addCounter = (name: string, help: string, read: () => number) =>
    new Counter({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const addGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  addCounter('requests_total', 'Requests for audio in the sums', () => counts.requests);
  addCounter('counted_total', 'Downloads in the sums', () => counts.counted);
  addCounter('dropped_total', 'Requests for audio that were lost', () => journal().dropped);
  const withoutDetails = 'Requests that are counted, but whose details are not kept';
  addCounter('without_details_total', withoutDetails, () => counts.withoutDetails);
  new Counter({
    name: `${prefix}rejected_total`,
    help: 'Requests for audio that do not count, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of counts.rejected) this.inc({ reason }, count);
    },
  });
  addGauge('lag_seconds', 'Age of the oldest request that is not in the sums yet', () =>
    Math.max(journal().lagSeconds, counts.logLagSeconds),
  );
  addGauge('journal_bytes', 'Bytes on disk that wait to be counted', () => journal().journalBytes);
  const newer = 'Bytes on disk that only a newer version can count';
  addGauge('newer_journal_bytes', newer, () => journal().newerJournalBytes);
}
