import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { ClassifiedRequest } from '../audio-request.ts';
import { type Crowd, findFullCrowds, selectCrowd } from './receipts.sql.ts';

/** One address counts at most so many listeners of an episode on a UTC day (COUNT-9). */
export const mostListenersOfAddress = 500;

interface Members extends Crowd {
  readonly day: UtcDay;
  /** The accepted listeners that may not be stored yet; all of them if it is `full`. */
  readonly accepted: Set<string>;
  isFull: boolean;
}

/**
 * Rejects requests of listeners that exceed the limit of their address. A listener with a stored
 * receipt stays accepted, whatever comes later. Requires the lock of the sums.
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
    let isOver = false;
    for (const [crowd, listeners] of newcomers)
      for (const listener of listeners) {
        if (crowd.isFull && crowd.accepted.size >= mostListenersOfAddress)
          isOver ||= !crowd.accepted.has(listener);
        else crowd.accepted.add(listener);
      }
    if (!isOver) return classified;
    return classified.map((request) => {
      const { listener } = request;
      const crowd = request.rejected === null ? this.#crowds.get(crowdKey(request)) : undefined;
      if (crowd === undefined || crowd.accepted.has(listener)) return request;
      return { ...request, rejected: 'too_many_listeners' };
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
      const { rejected, addressHash, listener, episodeId } = request;
      if (rejected !== null || addressHash === null) continue;
      const key = crowdKey(request);
      let crowd = this.#crowds.get(key);
      if (crowd === undefined) {
        const day = utcDayOf(request.at);
        crowd = { day, episodeId, addressHash, accepted: new Set(), isFull: false };
        this.#crowds.set(key, crowd);
      }
      if (crowd.accepted.has(listener)) continue;
      const others = newcomers.get(crowd);
      if (others === undefined) newcomers.set(crowd, new Set([listener]));
      else others.add(listener);
    }
    return newcomers;
  }

  async #markFull(newcomers: ReadonlyMap<Members, ReadonlySet<string>>): Promise<void> {
    const uncertain = [...newcomers.keys()].filter(({ isFull }) => !isFull);
    for (const [day, crowds] of Map.groupBy(uncertain, (crowd) => crowd.day)) {
      const wanted = crowds.map((crowd) => ({
        ...crowd,
        listeners: crowd.accepted.size + (newcomers.get(crowd)?.size ?? 0),
      }));
      for (const place of await findFullCrowds(this.#db, day, wanted, mostListenersOfAddress)) {
        const crowd = crowds[place];
        if (crowd === undefined) continue;
        for (const listener of await selectCrowd(this.#db, day, crowd))
          crowd.accepted.add(listener);
        crowd.isFull = true;
      }
    }
  }
}

/**
 * The same limit for all evidence of a day, which comes listener by listener. `crowds`: those that may
 * exceed it.
 */
export class OrderedListenerLimit {
  readonly #crowds: Map<string, { listeners: number; last: string }>;

  constructor(crowds: readonly Crowd[]) {
    const counts = crowds.map((one) => [evidenceKey(one), { listeners: 0, last: '' }] as const);
    this.#crowds = new Map(counts);
  }

  apply(request: ClassifiedRequest): ClassifiedRequest {
    const { rejected, addressHash, episodeId, listener } = request;
    if (rejected !== null || addressHash === null || this.#crowds.size === 0) return request;
    const crowd = this.#crowds.get(evidenceKey({ episodeId, addressHash }));
    if (crowd === undefined || crowd.last === listener) return request;
    if (crowd.listeners >= mostListenersOfAddress)
      return { ...request, rejected: 'too_many_listeners' };
    crowd.listeners += 1;
    crowd.last = listener;
    return request;
  }
}

const evidenceKey = ({ episodeId, addressHash }: Crowd) => `${episodeId} ${addressHash}`;

function crowdKey({ at, episodeId, addressHash }: ClassifiedRequest): string {
  return `${utcDayOf(at)} ${episodeId} ${addressHash}`;
}
