import { BackgroundTask } from '../../../../lib/background-task.ts';
import { countBytes } from '../../../../lib/byte-range.ts';
import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Context } from '../../../foundation/context.ts';
import type { AudioRequest, ClassifiedRequest } from '../audio-request.ts';
import { isOpen, openDays } from '../days.ts';
import { ensureDayPartitions, ensureLogPartitions } from '../partitions.sql.ts';
import { ListenerLimit } from '../receipts/listener-limit.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { neededSeconds } from '../to-audio-request.ts';
import { classify } from './classify.ts';
import {
  addToRequestSums,
  copyEvidence,
  encodeEvidence,
  hasLeftOut,
  lockPodcasts,
  measureEvidence,
  type RequestSum,
} from './evidence.sql.ts';

/**
 * The evidence of a day is not kept in detail beyond this size on disk: about four million requests
 * of apps. Downloads are counted exactly without it.
 */
export const mostEvidenceBytes = 1024 * 1024 * 1024;

/** Requests to which the rules were applied. */
export interface Evidence {
  readonly classified: readonly ClassifiedRequest[];
  /** Those that can count: not from the future, and for podcasts that exist. */
  readonly kept: readonly ClassifiedRequest[];
  /** Those of open days that are kept in detail, for COPY; undefined: there are none. */
  readonly rows: Buffer | undefined;
}

/** Writes evidence in one transaction: each batch while its caller prepares the next one. */
export class EvidenceWriter implements AsyncDisposable {
  readonly #tx: Context;
  readonly #now: Date;
  readonly #writing = new BackgroundTask();
  /** By podcast: whether it exists. */
  readonly #podcasts = new Map<string, boolean>();
  readonly #daysWithPartitions = new Set<UtcDay>();
  readonly #mostBytes: number;
  /** By open day: about how large its evidence is. */
  readonly #bytes = new Map<UtcDay, number>();
  readonly #sums = new Map<string, RequestSum>();
  readonly #limit: ListenerLimit;
  /** By the days on which they were begun. */
  readonly #logsWithPartitions = new Set<UtcDay>();

  /** Of days whose evidence is full: the requests that may count and have no details. */
  readonly leftOut = new Map<UtcDay, number>();

  /** Requires the lock of the sums. */
  constructor(tx: Context, now: Date, mostBytes: number) {
    this.#tx = tx;
    this.#now = now;
    this.#mostBytes = mostBytes;
    this.#limit = new ListenerLimit(tx.db);
  }

  classify(requests: readonly AudioRequest[]): ClassifiedRequest[] {
    const open = openDays(this.#now);
    const { clients } = this.#tx.installation;
    return requests.map((request) => classify(clients, request, open));
  }

  /** `unsaved`: the receipts of what was prepared before and is not stored yet. */
  async prepare(
    ofClients: readonly ClassifiedRequest[],
    unsaved: Iterable<Receipt>,
  ): Promise<Evidence> {
    const open = openDays(this.#now);
    await this.#findPodcasts(ofClients);
    const mayBeKept = ({ rejected, podcastId }: ClassifiedRequest) =>
      rejected !== 'future' && this.#podcasts.get(podcastId);
    const days = [...new Set(ofClients.filter(mayBeKept).map(({ at }) => utcDayOf(at)))];
    const opened = days.filter((day) => isOpen(day, open));
    await this.#ensurePartitions(opened);
    const classified = await this.#limit.apply(
      ofClients.map((request) => this.#refuseScrap(request)),
      unsaved,
    );
    const kept = classified.filter(mayBeKept);
    if (opened.length === days.length) return { classified, kept, rows: this.#encode(kept) };
    await this.#ensureLogPartitions(kept);
    // Days that are over are neither explained nor counted again.
    const ofOpenDays = kept.filter(({ at }) => isOpen(utcDayOf(at), open));
    return { classified, kept, rows: this.#encode(ofOpenDays) };
  }

  /** Resolves when the batch before is written. */
  async write({ rows }: Evidence): Promise<void> {
    if (rows !== undefined) await this.#writing.start(() => copyEvidence(this.#tx.db, rows));
  }

  /** All receipts of what was prepared are stored. */
  clearListeners(): void {
    this.#limit.clear();
  }

  /** Resolves when all is written. */
  async end(): Promise<void> {
    await this.#writing.end();
    if (this.#sums.size === 0) return;
    for (const day of this.leftOut.keys())
      if (!(await hasLeftOut(this.#tx.db, day)))
        this.#tx.log.warn({ day }, "a day's download evidence is full: no more details are kept");
    await addToRequestSums(this.#tx.db, [...this.#sums.values()]);
    this.#sums.clear();
  }

  /** Adds to the sums what is not kept in detail. */
  #encode(requests: readonly ClassifiedRequest[]): Buffer | undefined {
    const detailed: ClassifiedRequest[] = [];
    const days = new Map<UtcDay, number>();
    for (const request of requests) {
      const day = utcDayOf(request.at);
      if (isFinal(request)) this.#addToSums(day, request);
      else if (this.#isFull(day)) {
        this.#addToSums(day, request);
        if (request.rejected === null)
          this.leftOut.set(day, (this.leftOut.get(day) ?? 0) + request.requests);
      } else {
        detailed.push(request);
        days.set(day, (days.get(day) ?? 0) + 1);
      }
    }
    if (detailed.length === 0) return undefined;
    const rows = encodeEvidence(detailed);
    for (const [day, count] of days) {
      const bytes = (rows.length * count) / detailed.length;
      this.#bytes.set(day, (this.#bytes.get(day) ?? 0) + bytes);
    }
    return rows;
  }

  #addToSums(day: UtcDay, { podcastId, episodeId, rejected, requests }: ClassifiedRequest): void {
    const key = `${day} ${episodeId} ${rejected}`;
    const known = this.#sums.get(key);
    if (known === undefined) this.#sums.set(key, { day, podcastId, episodeId, rejected, requests });
    else known.requests += requests;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing[Symbol.asyncDispose]();
  }

  /**
   * Once the evidence of a day is full, less than a second of audio leaves no receipt (COUNT-23). Such requests
   * cost their client nothing, and it could store any number of receipts.
   */
  #refuseScrap(request: ClassifiedRequest): ClassifiedRequest {
    const { at, rejected, audio, neededBytes } = request;
    if (rejected !== null || !this.#isFull(utcDayOf(at))) return request;
    const isScrap = countBytes(audio) * neededSeconds < neededBytes;
    return isScrap ? { ...request, refusal: 'probe', rejected: 'probe' } : request;
  }

  #isFull(day: UtcDay): boolean {
    return (this.#bytes.get(day) ?? 0) >= this.#mostBytes;
  }

  /** They stay until the transaction ends. */
  async #findPodcasts(requests: readonly ClassifiedRequest[]): Promise<void> {
    const unknown = new Set<string>();
    for (const { podcastId } of requests)
      if (!this.#podcasts.has(podcastId)) unknown.add(podcastId);
    if (unknown.size === 0) return;
    for (const id of unknown) this.#podcasts.set(id, false);
    for (const id of await lockPodcasts(this.#tx.db, [...unknown])) this.#podcasts.set(id, true);
  }

  async #ensurePartitions(days: readonly UtcDay[]): Promise<void> {
    const missing = days.filter((day) => !this.#daysWithPartitions.has(day));
    if (missing.length === 0) return;
    await ensureDayPartitions(this.#tx.db, missing);
    for (const day of missing) this.#daysWithPartitions.add(day);
    for (const { day, bytes } of await measureEvidence(this.#tx.db, missing))
      this.#bytes.set(day, bytes);
  }

  async #ensureLogPartitions(requests: readonly ClassifiedRequest[]): Promise<void> {
    const missing = new Set<UtcDay>();
    for (const { logBegunOn } of requests)
      if (logBegunOn !== undefined && !this.#logsWithPartitions.has(logBegunOn))
        missing.add(logBegunOn);
    await ensureLogPartitions(this.#tx.db, missing);
    for (const day of missing) this.#logsWithPartitions.add(day);
  }
}

/** No later rule can accept it, so its details serve nobody. */
function isFinal({ refusal, rejected }: ClassifiedRequest): boolean {
  return refusal !== null || rejected === 'too_many_listeners';
}
