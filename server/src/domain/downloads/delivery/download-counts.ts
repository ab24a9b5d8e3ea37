import type { Ingested } from '../ingest-requests.ts';

/** What this process has counted since its start, for metrics. */
export class DownloadCounts {
  requests = 0;
  counted = 0;
  /** Requests that were lost: no disk, no room, or nothing that could be read. */
  dropped = 0;
  readonly rejected = new Map<string, number>();
  /**
   * When all that stood in the followed log was counted last, by this or another process, as
   * `performance.now()`. Undefined: this process follows no log.
   */
  logCountedAtMs: number | undefined;

  /** Since when lines of the followed log may wait; 0: this process follows no log. */
  get logLagSeconds(): number {
    if (this.logCountedAtMs === undefined) return 0;
    return (performance.now() - this.logCountedAtMs) / 1_000;
  }

  add({ requests, counted, rejected }: Omit<Ingested, 'newBatches'>): void {
    this.requests += requests;
    // A counter never falls: a download that moved to another day is none less.
    this.counted += Math.max(0, counted);
    for (const [reason, count] of Object.entries(rejected)) {
      this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + count);
    }
  }
}
