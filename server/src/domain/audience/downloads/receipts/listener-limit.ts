import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { ClassifiedRequest } from '../audio-request.ts';
import { type Crowd, crowdKey, crowdsOf, mostListenersOf } from './crowds.ts';
import { findFullCrowds, selectCrowd } from './receipts.sql.ts';

interface Members extends Crowd {
  readonly day: UtcDay;
  /** The accepted listeners that may not be stored yet; all of them if it is `full`. */
  readonly accepted: Set<string>;
  isFull: boolean;
}

/**
 * Rejects requests of listeners that exceed the limit of their address, or of its site. A listener with a
 * stored receipt stays accepted, whatever comes later. Requires the lock of the sums.
 */
export class ListenerLimit {
  readonly #db: Db;
  readonly #crowds = new Map<string, Members>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns all requests, in the same order. */
  async apply(classified: readonly ClassifiedRequest[]): Promise<readonly ClassifiedRequest[]> {
    const newcomers = this.#findNewcomers(classified);
    await this.#markFull(newcomers);
    if ([...newcomers.keys()].every(({ isFull }) => !isFull)) {
      for (const [{ accepted }, listeners] of newcomers)
        for (const listener of listeners) accepted.add(listener);
      return classified;
    }
    return classified.map((request) => {
      const { rejected, listener } = request;
      if (rejected !== null) return request;
      const crowds = this.#crowdsOf(request);
      if (!crowds.every((crowd) => hasPlace(crowd, listener)))
        return { ...request, rejected: 'too_many_listeners' };
      for (const { accepted } of crowds) accepted.add(listener);
      return request;
    });
  }

  /** All accepted receipts are stored by now. */
  clear(): void {
    this.#crowds.clear();
  }

  /** The listeners of each crowd that are not accepted yet. */
  #findNewcomers(classified: readonly ClassifiedRequest[]): Map<Members, Set<string>> {
    const newcomers = new Map<Members, Set<string>>();
    for (const request of classified) {
      const { rejected, listener } = request;
      if (rejected !== null) continue;
      for (const crowd of this.#crowdsOf(request)) {
        if (crowd.accepted.has(listener)) continue;
        const others = newcomers.get(crowd);
        if (others === undefined) newcomers.set(crowd, new Set([listener]));
        else others.add(listener);
      }
    }
    return newcomers;
  }

  #crowdsOf(request: ClassifiedRequest): Members[] {
    return crowdsOf(request).map((crowd) => {
      const day = utcDayOf(request.at);
      const key = `${day} ${crowdKey(crowd)}`;
      const known = this.#crowds.get(key);
      if (known !== undefined) return known;
      const found = { ...crowd, day, accepted: new Set<string>(), isFull: false };
      this.#crowds.set(key, found);
      return found;
    });
  }

  async #markFull(newcomers: ReadonlyMap<Members, ReadonlySet<string>>): Promise<void> {
    const uncertain = [...newcomers.keys()].filter(({ isFull }) => !isFull);
    for (const [day, ofDay] of Map.groupBy(uncertain, (crowd) => crowd.day))
      for (const [of, crowds] of Map.groupBy(ofDay, (crowd) => crowd.of)) {
        const wanted = crowds.map((crowd) => ({
          ...crowd,
          listeners: crowd.accepted.size + (newcomers.get(crowd)?.size ?? 0),
        }));
        for (const place of await findFullCrowds(this.#db, { day, of }, wanted)) {
          const crowd = crowds[place];
          if (crowd === undefined) continue;
          for (const listener of await selectCrowd(this.#db, day, crowd))
            crowd.accepted.add(listener);
          crowd.isFull = true;
        }
      }
  }
}

function hasPlace({ accepted, isFull, of }: Members, listener: string): boolean {
  return !isFull || accepted.size < mostListenersOf[of] || accepted.has(listener);
}

/**
 * The same limit for all evidence of a day, which comes listener by listener. `crowds`: those that may
 * exceed it.
 */
export class OrderedListenerLimit {
  readonly #crowds: Map<string, { listeners: number; last: string }>;

  constructor(crowds: readonly Crowd[]) {
    const counts = crowds.map((one) => [crowdKey(one), { listeners: 0, last: '' }] as const);
    this.#crowds = new Map(counts);
  }

  apply(request: ClassifiedRequest): ClassifiedRequest {
    const { rejected, listener } = request;
    if (rejected !== null || this.#crowds.size === 0) return request;
    const joined = crowdsOf(request).flatMap((crowd) => {
      const count = this.#crowds.get(crowdKey(crowd));
      return count === undefined || count.last === listener ? [] : [{ count, of: crowd.of }];
    });
    if (joined.some(({ count, of }) => count.listeners >= mostListenersOf[of]))
      return { ...request, rejected: 'too_many_listeners' };
    for (const { count } of joined) {
      count.listeners += 1;
      count.last = listener;
    }
    return request;
  }
}
