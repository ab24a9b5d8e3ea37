import { earliest } from '../../../../lib/time.ts';
import { startOfDay, type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Geo } from '../../../../platform/geo/geo.ts';
import type { Journal } from '../../../../platform/journal/journal.ts';
import type { Log } from '../../../../platform/log/log.ts';
import type { Clients } from '../../../foundation/context.ts';
import { type AudioRequest, type RejectionReason, refusedRequests } from '../audio-request.ts';
import { classifyClient } from '../evidence/classify.ts';
import type { ObservedRequest, OpenResponse } from '../observed-request.ts';
import { type Crowd, crowdKey, crowdsOf, mostListenersOf } from '../receipts/crowds.ts';
import { mostNewcomers, stageOf } from '../receipts/stages.ts';
import { ReferrerLimit } from '../referrer-limit.ts';
import {
  findRefusal,
  type HiddenClient,
  hideClient,
  isDecided,
  locateClient,
  toRequestOf,
} from '../to-audio-request.ts';
import type { DaySecrets } from './day-secrets.ts';
import type { DownloadCounts } from './download-counts.ts';
import { KnownListeners } from './known-listeners.ts';
import { OpenRequests } from './open-requests.ts';
import { formatRequestLine } from './request-line.ts';
import { UnitedRequests } from './united-requests.ts';

/**
 * The most requests that wait, with their addresses, for the day's secret. They are only in memory.
 */
const maxPending = 10_000;

/** How long lines wait to be written together. A kill loses the responses of this time. */
const writeAfterMs = 20;
/** With so many waiting lines, they are written at once. */
const maxWaiting = 1_000;

/**
 * So long after the end of a day, what its requests have received is final. A listener needs a
 * minute for a minute of audio.
 */
const openAfterDayMs = 10 * 60_000;

interface RecorderParts {
  readonly clients: Clients;
  readonly geo: Geo;
  readonly journal: Journal;
  readonly secrets: DaySecrets;
  readonly counts: DownloadCounts;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Writes responses to the journal, those of one listener for the same audio united. Addresses stay
 * in this process's memory.
 */
export class DeliveryRecorder {
  readonly #parts: RecorderParts;
  readonly #open = new OpenRequests();
  /** Those of the open requests whose responses did not end at once. */
  readonly #responses = new Set<OpenResponse>();
  readonly #listeners = new KnownListeners();
  readonly #limits = new CrowdLimits();
  readonly #referrers = new ReferrerLimit();
  /** Values: when the response ended. Ordered by that time. */
  readonly #pending = new Map<ObservedRequest, Date>();
  readonly #waiting = new UnitedRequests();
  #waitingSince: Date | undefined;
  #writeTimer: NodeJS.Timeout | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** The earliest request that is not in the journal yet. */
  get earliestAt(): Date | undefined {
    return earliest([this.#open.earliest, this.#waiting.earliestAt]);
  }

  /** When the first response ended that is not in the journal yet. */
  get waitingSince(): Date | undefined {
    return this.#pending.values().next().value ?? this.#waitingSince;
  }

  /**
   * A request for audio has arrived. Call `record` or `handOver` when its response has ended. With
   * `response` if it has not yet.
   */
  begin(at: Date, response?: OpenResponse): void {
    this.#open.add(at);
    if (response !== undefined) this.#responses.add(response);
  }

  /** Returns at once and never throws. */
  record(observed: ObservedRequest, response?: OpenResponse): void {
    if (response !== undefined) this.#responses.delete(response);
    const refusal = findRefusal(observed);
    if (refusal !== null) {
      this.#add(refusedRequests(observed, refusal));
      this.#open.remove(observed.at);
      return;
    }
    const known = this.#listeners.find(utcDayOf(observed.at), observed);
    if (known !== undefined) {
      this.#addOf(known, observed);
      this.#open.remove(observed.at);
      return;
    }
    this.#pending.set(observed, this.#parts.now());
    if (this.#pending.size > maxPending) this.#drop(observed);
    else void this.#journal(observed);
  }

  /** Forgets a begun request: only the log of nginx says what was delivered. */
  handOver(at: Date, response?: OpenResponse): void {
    if (response !== undefined) this.#responses.delete(response);
    this.#open.remove(at);
  }

  /**
   * Makes a day final soon after its end (COUNT-21): a single client that hardly reads could
   * otherwise keep it open. Responses that are downloads are recorded, and go on. What others still
   * receive could change the day, so they are broken off; their clients may ask for the rest.
   */
  endDays(): void {
    const end = startOfDay(utcDayOf(new Date(this.#parts.now().getTime() - openAfterDayMs)));
    for (const response of this.#responses) {
      if (response.at >= end) continue;
      if (isDecided(response.observe())) response.report();
      else response.breakOff();
    }
  }

  /** Tries again the requests that wait for a secret, and writes all that can be written. */
  async retry(): Promise<void> {
    this.#listeners.keepOnly(utcDayOf(this.#parts.now()));
    await Promise.all([...this.#pending.keys()].map((observed) => this.#journal(observed)));
    this.#write();
  }

  /**
   * Writes the rest. Requests that still wait for a secret are lost, because their addresses must
   * not be stored.
   */
  close(): void {
    this.#write();
    for (const observed of this.#pending.keys()) this.#drop(observed);
  }

  /** Leaves the request waiting while its secret is not available. Never rejects. */
  async #journal(observed: ObservedRequest): Promise<void> {
    try {
      await this.#addWhenKnown(observed);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'an audio request was not counted');
      this.#drop(observed);
    }
  }

  async #addWhenKnown(observed: ObservedRequest): Promise<void> {
    const { geo, secrets } = this.#parts;
    const day = utcDayOf(observed.at);
    const secret = await secrets.get(day).catch((error: unknown) => {
      // A closed day no longer has a secret.
      if (error instanceof RangeError) this.#drop(observed);
    });
    if (secret === undefined) return;
    const place = await locateClient(geo, observed.address);
    // It may have been dropped, or journaled by another attempt.
    if (!this.#pending.has(observed)) return;
    const client = hideClient(secret, observed, place);
    if (this.#addOf(client, observed)) this.#listeners.add(day, observed, client);
    this.#settle(observed);
  }

  /** Whether its details are kept. */
  #addOf(client: HiddenClient, observed: ObservedRequest): boolean {
    const { clients, counts, log } = this.#parts;
    try {
      const request = this.#referrers.apply(toRequestOf(client, observed));
      const refusal = this.#limits.refuse(request, () => classifyClient(clients, request));
      this.#add(refusal === null ? request : refusedRequests(request, refusal));
      return refusal === null;
    } catch (error) {
      log.error({ err: error }, 'an audio request was not counted');
      counts.dropped += 1;
      return false;
    }
  }

  #add(request: AudioRequest): void {
    this.#waiting.add(request);
    if (this.#waiting.size >= maxWaiting) this.#write();
    else if (this.#writeTimer === undefined) {
      this.#waitingSince = this.#parts.now();
      this.#writeTimer = setTimeout(() => this.#write(), writeAfterMs).unref();
    }
  }

  #write(): void {
    clearTimeout(this.#writeTimer);
    this.#writeTimer = undefined;
    this.#waitingSince = undefined;
    const { journal, log, counts } = this.#parts;
    for (const request of this.#waiting.take()) {
      try {
        journal.append(formatRequestLine(request), request.at, request.requests);
      } catch (error) {
        log.error({ err: error }, 'audio requests were not counted');
        counts.dropped += request.requests;
      }
    }
  }

  #drop(observed: ObservedRequest): void {
    if (!this.#pending.has(observed)) return;
    this.#parts.counts.dropped += 1;
    this.#settle(observed);
  }

  #settle(observed: ObservedRequest): void {
    this.#pending.delete(observed);
    this.#open.remove(observed.at);
  }
}

/** Some tens of megabytes, if each comes from an address of its own. */
const mostRemembered = 100_000;

/** Most often a single listener. */
interface KnownCrowd {
  readonly listeners: Set<string>;
  /** How many of them may count, by the stage of the first request of each. */
  readonly accepted: number[];
  /** Bots and the like, whose requests a later rule may accept. */
  rejected: number;
}

/**
 * Refuses details to the listeners of a crowd beyond the most that can have places, so that a flood costs
 * neither journal nor evidence. It knows only this process and its recent listeners; the sums have the
 * last word.
 */
class CrowdLimits {
  #day: UtcDay | undefined;
  readonly #crowds = new Map<string, KnownCrowd>();
  #remembered = 0;

  /**
   * Null: the request keeps its details. `classify` says why its client does not count, and is called
   * once for each listener.
   */
  refuse(request: AudioRequest, classify: () => RejectionReason | null): RejectionReason | null {
    const { at, listener } = request;
    if (!this.#isOf(utcDayOf(at))) return null;
    const crowds = crowdsOf(request).map((crowd) => this.#find(crowd));
    if (crowds.every(({ known }) => known.listeners.has(listener))) return null;
    const verdict = classify();
    const stage = stageOf(request);
    const isFull = ({ of, known }: (typeof crowds)[number]) =>
      verdict === null
        ? (known.accepted[stage] ?? 0) >= mostNewcomers(mostListenersOf[of], stage)
        : known.rejected >= mostListenersOf[of];
    if (crowds.some(isFull)) return verdict ?? 'too_many_listeners';
    for (const { key, known } of crowds) {
      this.#crowds.set(key, known);
      if (verdict === null) known.accepted[stage] = (known.accepted[stage] ?? 0) + 1;
      else known.rejected += 1;
      known.listeners.add(listener);
      this.#remembered += 1;
    }
    if (this.#remembered > mostRemembered) this.#forget();
    return null;
  }

  #find(crowd: Crowd) {
    const key = crowdKey(crowd);
    const nobody = { listeners: new Set<string>(), accepted: [], rejected: 0 };
    return { key, of: crowd.of, known: this.#crowds.get(key) ?? nobody };
  }

  /** A response that goes on after midnight belongs to the day before, which is not limited here. */
  #isOf(day: UtcDay): boolean {
    if (this.#day !== undefined && day < this.#day) return false;
    if (day !== this.#day) this.#forget();
    this.#day = day;
    return true;
  }

  #forget(): void {
    this.#crowds.clear();
    this.#remembered = 0;
  }
}
