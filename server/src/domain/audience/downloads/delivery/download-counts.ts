import type { Ingested } from '../ingest-requests.ts';

type AddedCounts = Pick<Ingested, 'requests' | 'counted' | 'rejected' | 'withoutDetails'>;

/** The counts of this process since its start, for metrics. */
export class DownloadCounts {
  requests = 0;
  counted = 0;
  /** Requests that were lost: no disk, no room, or nothing that could be read. */
  dropped = 0;
  /** Requests that are counted, but whose details are not kept. */
  withoutDetails = 0;
  readonly rejected = new Map<string, number>();
  /**
   * When all lines of the followed log were last counted, by this or another process, as
   * `performance.now()`. Undefined: this process follows no log.
   */
  logCountedAtMs: number | undefined;

  /** How long lines of the followed log may have waited; 0: this process follows no log. */
  get logLagSeconds(): number {
    if (this.logCountedAtMs === undefined) return 0;
    return (performance.now() - this.logCountedAtMs) / 1_000;
  }

  add({ requests, counted, rejected, withoutDetails }: AddedCounts): void {
    this.requests += requests;
    this.withoutDetails += withoutDetails;
    // A counter never falls, so a negative number is not added.
    this.counted += Math.max(0, counted);
    for (const [reason, count] of Object.entries(rejected)) {
      this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + count);
    }
  }
}
