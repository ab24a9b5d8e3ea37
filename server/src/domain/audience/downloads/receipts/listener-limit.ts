import { createYielder } from '../../../../lib/time-slices.ts';
import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { ClassifiedRequest } from '../audio-request.ts';
import { type Crowd, crowdKey, crowdsOf, mostListenersOf } from './crowds.ts';
import { type Receipt, receiptOf, uniteWith } from './receipt.ts';
import { receiptKey } from './receipt-collector.ts';
import {
  type CrowdReceipt,
  findFullCrowds,
  selectCrowd,
  selectReceiptsOf,
} from './receipts.sql.ts';
import { lastStage, stageOf } from './stages.ts';

interface Members extends Crowd {
  readonly day: UtcDay;
  /** The accepted listeners that may not be stored yet; without those that came since it has `places`. */
  readonly accepted: Set<string>;
  /** Undefined: it has so few listeners that all may be at any stage. */
  places: Places | undefined;
}

type Newcomers = ReadonlyMap<Members, ReadonlySet<string>>;

/**
 * Rejects requests of listeners that exceed the limit of their address, or of its site. A listener has a place of its
 * stage, and gets one of a later stage as soon as a request brings it there (COUNT-24): if there is none, that
 * request is rejected. Others of a listener with a stored receipt are accepted, whatever comes later. Requires the
 * lock of the sums.
 */
export class ListenerLimit {
  readonly #db: Db;
  readonly #crowds = new Map<string, Members>();
  /** Of crowds with places: what is stored of listeners, and what was accepted and is not stored yet. */
  readonly #stored = new Map<string, Receipt>();
  readonly #accepted = new Map<string, Receipt>();
  #hasPlaces = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Returns all requests, in the same order. `unsaved`: the receipts of all that it has accepted and that
   * are not stored yet.
   */
  async apply(
    classified: readonly ClassifiedRequest[],
    unsaved: Iterable<Receipt>,
  ): Promise<readonly ClassifiedRequest[]> {
    const newcomers = this.#findNewcomers(classified);
    await this.#givePlaces(newcomers, unsaved);
    for (const [{ accepted, places }, listeners] of newcomers)
      if (places === undefined) for (const listener of listeners) accepted.add(listener);
    return this.#hasPlaces ? await this.#applyPlaces(classified) : classified;
  }

  /** All accepted receipts are stored by now. */
  clear(): void {
    this.#crowds.clear();
    this.#stored.clear();
    this.#accepted.clear();
    this.#hasPlaces = false;
  }

  /** The listeners of each crowd without places that are not accepted yet. */
  #findNewcomers(classified: readonly ClassifiedRequest[]): Newcomers {
    const newcomers = new Map<Members, Set<string>>();
    for (const request of classified) {
      const { rejected, listener } = request;
      if (rejected !== null) continue;
      for (const crowd of this.#crowdsOf(request, utcDayOf(request.at))) {
        if (crowd.places !== undefined || crowd.accepted.has(listener)) continue;
        const others = newcomers.get(crowd);
        if (others === undefined) newcomers.set(crowd, new Set([listener]));
        else others.add(listener);
      }
    }
    return newcomers;
  }

  #crowdsOf(listener: Pick<Receipt, 'episodeId' | 'addressHash'>, day: UtcDay): Members[] {
    return crowdsOf(listener).map((crowd) => {
      const key = `${day} ${crowdKey(crowd)}`;
      const known = this.#crowds.get(key);
      if (known !== undefined) return known;
      const found = { ...crowd, day, accepted: new Set<string>(), places: undefined };
      this.#crowds.set(key, found);
      return found;
    });
  }

  /** Counts the stages of crowds that may have more listeners than one stage has places. */
  async #givePlaces(newcomers: Newcomers, unsaved: Iterable<Receipt>): Promise<void> {
    const counted = new Set<Members>();
    for (const [day, ofDay] of Map.groupBy(newcomers.keys(), (crowd) => crowd.day))
      for (const [of, crowds] of Map.groupBy(ofDay, (crowd) => crowd.of)) {
        const wanted = crowds.map((crowd) => ({
          ...crowd,
          listeners: crowd.accepted.size + (newcomers.get(crowd)?.size ?? 0),
        }));
        for (const place of await findFullCrowds(this.#db, { day, of }, wanted)) {
          const crowd = crowds[place];
          if (crowd === undefined) continue;
          crowd.places = new Places(of, await selectCrowd(this.#db, day, crowd));
          counted.add(crowd);
        }
      }
    if (counted.size === 0) return;
    this.#hasPlaces = true;
    const receipts = [...unsaved].filter((receipt) =>
      this.#crowdsOf(receipt, receipt.day).some((crowd) => counted.has(crowd)),
    );
    await this.#readStored(receipts);
    for (const receipt of receipts) this.#move(receipt, true);
  }

  async #applyPlaces(classified: readonly ClassifiedRequest[]): Promise<ClassifiedRequest[]> {
    const receipts = new Map<ClassifiedRequest, Receipt>();
    for (const request of classified)
      if (request.rejected === null) receipts.set(request, receiptOf(request));
    await this.#readStored([...receipts.values()]);
    const maybeYield = createYielder();
    const judged: ClassifiedRequest[] = [];
    for (const request of classified) {
      const receipt = receipts.get(request);
      const hasPlace = receipt === undefined || this.#move(receipt);
      judged.push(hasPlace ? request : { ...request, rejected: 'too_many_listeners' });
      const pause = maybeYield();
      if (pause !== undefined) await pause;
    }
    return judged;
  }

  /** Reads what is stored of listeners who may get to a later stage. */
  async #readStored(receipts: readonly Receipt[]): Promise<void> {
    const wanted = receipts.filter((receipt) => this.#mayAddToStored(receipt));
    for (const [day, ofDay] of Map.groupBy(wanted, (receipt) => receipt.day))
      for (const stored of await selectReceiptsOf(this.#db, day, ofDay))
        this.#stored.set(receiptKey(stored), stored);
  }

  #mayAddToStored(receipt: Receipt): receipt is CrowdReceipt {
    if (receipt.addressHash === null || this.#stored.has(receiptKey(receipt))) return false;
    const [stage] = this.#placesOf(receipt).map((places) => places.stageOf(receipt.listener));
    return stage !== undefined && stage < lastStage;
  }

  #placesOf(receipt: Receipt): Places[] {
    return this.#crowdsOf(receipt, receipt.day).flatMap(({ places }) => places ?? []);
  }

  /**
   * Gives the listener places of the stage to which the receipt brings it. False: there is none.
   * `isForced`: it was accepted before.
   */
  #move(receipt: Receipt, isForced = false): boolean {
    const crowds = this.#placesOf(receipt);
    if (crowds.length === 0) return true;
    const { listener } = receipt;
    const key = receiptKey(receipt);
    // United as they will be: which of hundreds of pieces are kept depends on the order.
    const accepted = uniteWith(this.#accepted.get(key), receipt);
    const stage = stageOf(uniteWith(this.#stored.get(key), accepted));
    if (!isForced && !crowds.every((places) => places.hasRoom(listener, stage))) return false;
    for (const places of crowds) places.move(listener, stage);
    this.#accepted.set(key, accepted);
    return true;
  }
}

/** The places of a crowd. */
class Places {
  readonly #most: number;
  readonly #stages = new Map<string, number>();
  /** By stage. */
  readonly #taken: number[] = [];

  constructor(
    of: Crowd['of'],
    stored: Iterable<{ readonly listener: string; readonly stage: number }>,
  ) {
    this.#most = mostListenersOf[of];
    for (const { listener, stage } of stored) this.move(listener, stage);
  }

  /** Undefined: the listener has no place. */
  stageOf(listener: string): number | undefined {
    return this.#stages.get(listener);
  }

  /** Whether the listener has a place of this or a later stage, or there is one. */
  hasRoom(listener: string, stage: number): boolean {
    return stage <= (this.stageOf(listener) ?? -1) || (this.#taken[stage] ?? 0) < this.#most;
  }

  /** The listener stays at a later stage. */
  move(listener: string, stage: number): void {
    const before = this.stageOf(listener);
    if (before !== undefined && stage <= before) return;
    if (before !== undefined) this.#taken[before] = (this.#taken[before] ?? 0) - 1;
    this.#taken[stage] = (this.#taken[stage] ?? 0) + 1;
    this.#stages.set(listener, stage);
  }
}
