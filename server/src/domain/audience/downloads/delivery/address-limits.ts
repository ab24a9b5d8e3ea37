import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { AudioRequest, RejectionReason } from '../audio-request.ts';
import { mostListenersOfAddress } from '../receipts/listener-limit.ts';

/** Some tens of megabytes, if each comes from an address of its own. */
const mostRemembered = 100_000;

/** The listeners of an address and an episode, most often a single one. */
interface Crowd {
  readonly listeners: Set<string>;
  /** How many of them may count. */
  accepted: number;
  /** Bots and the like, whose requests a later rule may accept. */
  rejected: number;
}

/**
 * Refuses details to the listeners of an address beyond the most that can count, so that a flood costs
 * neither journal nor evidence. It knows only this process and its recent listeners; the sums have the
 * last word.
 */
export class AddressLimits {
  #day: UtcDay | undefined;
  readonly #crowds = new Map<string, Crowd>();
  #remembered = 0;

  /**
   * Null: the request keeps its details. `judge` says why its client does not count, and is called
   * once for each listener.
   */
  refuse(request: AudioRequest, judge: () => RejectionReason | null): RejectionReason | null {
    const { at, episodeId, addressHash, listener } = request;
    if (!this.#isOf(utcDayOf(at))) return null;
    const key = `${episodeId} ${addressHash}`;
    let crowd = this.#crowds.get(key);
    if (crowd?.listeners.has(listener)) return null;
    const verdict = judge();
    if (crowd === undefined) {
      crowd = { listeners: new Set(), accepted: 0, rejected: 0 };
      this.#crowds.set(key, crowd);
    }
    const kind = verdict === null ? 'accepted' : 'rejected';
    if (crowd[kind] >= mostListenersOfAddress) return verdict ?? 'too_many_listeners';
    crowd[kind] += 1;
    crowd.listeners.add(listener);
    this.#remembered += 1;
    if (this.#remembered > mostRemembered) this.#forget();
    return null;
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
