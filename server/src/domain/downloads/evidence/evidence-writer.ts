import { BackgroundTask } from '../../../lib/background-task.ts';
import { type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../context.ts';
import type { AudioRequest, JudgedRequest } from '../audio-request.ts';
import { isOpen, openDays } from '../days.ts';
import { ensureDayPartitions, ensureLogPartitions } from '../partitions.sql.ts';
import { copyEvidence, encodeEvidence, lockPodcasts } from './evidence.sql.ts';
import { judge } from './judge.ts';

/** Requests to which the rules were applied. */
export interface Evidence {
  readonly judged: readonly JudgedRequest[];
  /** Those that can count: not from the future, and for podcasts that exist. */
  readonly kept: readonly JudgedRequest[];
  /** Those of open days, for COPY. */
  readonly rows: Buffer;
}

/** Writes evidence in one transaction: each batch while its caller prepares the next one. */
export class EvidenceWriter implements AsyncDisposable {
  readonly #tx: Context;
  readonly #now: Date;
  readonly #writing = new BackgroundTask();
  /** By podcast: whether it exists. */
  readonly #podcasts = new Map<string, boolean>();
  readonly #daysWithPartitions = new Set<UtcDay>();
  /** By the days on which they were begun. */
  readonly #logsWithPartitions = new Set<UtcDay>();

  /** Requires the lock of the sums. */
  constructor(tx: Context, now: Date) {
    this.#tx = tx;
    this.#now = now;
  }

  async prepare(requests: readonly AudioRequest[]): Promise<Evidence> {
    const open = openDays(this.#now);
    const { clients } = this.#tx.installation;
    const judged = requests.map((request) => judge(clients, request, open));
    await this.#findPodcasts(judged);
    const kept = judged.filter(
      ({ rejected, podcastId }) => rejected !== 'future' && this.#podcasts.get(podcastId),
    );
    const days = [...new Set(kept.map(({ at }) => utcDayOf(at)))];
    const opened = days.filter((day) => isOpen(day, open));
    await this.#ensurePartitions(opened);
    if (opened.length === days.length) return { judged, kept, rows: encodeEvidence(kept) };
    await this.#ensureLogPartitions(kept);
    // Days that are over are neither explained nor counted again.
    const ofOpenDays = kept.filter(({ at }) => isOpen(utcDayOf(at), open));
    return { judged, kept, rows: encodeEvidence(ofOpenDays) };
  }

  /** Resolves when the batch before is written. */
  async write({ kept, rows }: Evidence): Promise<void> {
    if (kept.length > 0) await this.#writing.start(() => copyEvidence(this.#tx.db, rows));
  }

  /** Resolves when all is written. */
  async end(): Promise<void> {
    await this.#writing.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing[Symbol.asyncDispose]();
  }

  /** They stay until the transaction ends. */
  async #findPodcasts(requests: readonly JudgedRequest[]): Promise<void> {
    const unknown = new Set<string>();
    for (const { podcastId } of requests)
      if (!this.#podcasts.has(podcastId)) unknown.add(podcastId);
    if (unknown.size === 0) return;
    for (const id of unknown) this.#podcasts.set(id, false);
    for (const id of await lockPodcasts(this.#tx.db, [...unknown])) this.#podcasts.set(id, true);
  }

  async #ensurePartitions(days: readonly UtcDay[]): Promise<void> {
    const missing = days.filter((day) => !this.#daysWithPartitions.has(day));
    if (missing.length > 0) await ensureDayPartitions(this.#tx.db, missing);
    for (const day of missing) this.#daysWithPartitions.add(day);
  }

  async #ensureLogPartitions(requests: readonly JudgedRequest[]): Promise<void> {
    const missing = new Set<UtcDay>();
    for (const { logBegunOn } of requests)
      if (logBegunOn !== undefined && !this.#logsWithPartitions.has(logBegunOn))
        missing.add(logBegunOn);
    await ensureLogPartitions(this.#tx.db, missing);
    for (const day of missing) this.#logsWithPartitions.add(day);
  }
}
