import { utcDayOf } from '../../../lib/utc-day.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import type { Journal } from '../../../platform/journal/journal.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { MediaResponse } from '../../media/index.ts';
import { locateClient } from '../client-place.ts';
import type { ObservedRequest } from '../observed-request.ts';
import { hashListener, toRequestOf } from '../to-audio-request.ts';
import type { DaySecrets } from './day-secrets.ts';
import type { DownloadCounts } from './download-counts.ts';
import { type KnownListener, KnownListeners } from './known-listeners.ts';
import { observeMediaResponse } from './observe-media-response.ts';
import { OpenRequests } from './open-requests.ts';
import { formatRequestLine } from './request-line.ts';

/** In memory with their addresses, until the day's secret is known. */
const maxPending = 10_000;

interface RecorderParts {
  readonly geo: Geo;
  readonly journal: Journal;
  readonly secrets: DaySecrets;
  readonly counts: DownloadCounts;
  readonly now: () => Date;
  readonly log: Log;
}

/** Brings responses to the journal. An address gets no further than this process's memory. */
export class DeliveryRecorder {
  readonly #parts: RecorderParts;
  readonly #open = new OpenRequests();
  readonly #listeners = new KnownListeners();
  /** With the time of their end, in its order. */
  readonly #pending = new Map<ObservedRequest, Date>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** The earliest request that is not in the journal yet. */
  get earliestAt(): Date | undefined {
    return this.#open.earliest;
  }

  /** When the first response ended that is not in the journal yet. */
  get waitingSince(): Date | undefined {
    return this.#pending.values().next().value;
  }

  /** A request for audio has come. `record` is told when its response has ended. */
  begin(at: Date): void {
    this.#open.add(at);
  }

  /** Returns at once and never throws. */
  record(response: MediaResponse): void {
    const observed = observeMediaResponse(response);
    if (observed === undefined) {
      this.#open.remove(response.at);
      return;
    }
    const known = this.#listeners.find(utcDayOf(observed.at), observed);
    if (known !== undefined) {
      this.#write(observed, known);
      this.#open.remove(observed.at);
      return;
    }
    this.#pending.set(observed, this.#parts.now());
    if (this.#pending.size > maxPending) this.#drop(observed);
    else void this.#journal(observed);
  }

  /** Tries again what waits for a secret. */
  async retry(): Promise<void> {
    this.#listeners.keepOnly(utcDayOf(this.#parts.now()));
    await Promise.all([...this.#pending.keys()].map((observed) => this.#journal(observed)));
  }

  /** Loses what still waits: its addresses may not be stored. */
  dropPending(): void {
    for (const observed of this.#pending.keys()) this.#drop(observed);
  }

  /** Leaves it waiting while its secret cannot be had. */
  async #journal(observed: ObservedRequest): Promise<void> {
    const { geo, secrets } = this.#parts;
    const day = utcDayOf(observed.at);
    const secret = await secrets.get(day).catch((error: unknown) => {
      // A day that is over for good has no secret any more.
      if (error instanceof RangeError) this.#drop(observed);
    });
    if (secret === undefined) return;
    const place = await locateClient(geo, observed.address);
    // It may have been dropped, or journaled by another attempt.
    if (!this.#pending.has(observed)) return;
    const listener = hashListener(secret, observed.address, observed.userAgent ?? '');
    this.#listeners.add(day, observed, { listener, place });
    this.#write(observed, { listener, place });
    this.#settle(observed);
  }

  #write(observed: ObservedRequest, { listener, place }: KnownListener): void {
    const { journal, counts, log } = this.#parts;
    try {
      journal.append(formatRequestLine(toRequestOf(listener, observed, place)), observed.at);
    } catch (error) {
      log.error({ err: error }, 'a request for audio is not counted');
      counts.dropped += 1;
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
