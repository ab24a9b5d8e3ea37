import { utcDayOf } from '../../../lib/utc-day.ts';
import type { AudioRequest } from './audio-request.ts';

/** An address names at most so many hosts of a podcast on a day. */
export const mostHostsOfAddress = 10;
/** Some 10 MB. */
const mostRemembered = 50_000;

/**
 * Counts further hosts that one address names as `other`, so that its inventions do not take the places
 * of real hosts in the sums. It knows what one process or one log has told it recently.
 */
export class ReferrerLimit {
  readonly #hosts = new Map<string, Set<string>>();
  #remembered = 0;

  apply(request: AudioRequest): AudioRequest {
    const { at, podcastId, addressHash, referrer } = request;
    if (referrer === null || addressHash === null) return request;
    const key = `${utcDayOf(at)} ${podcastId} ${addressHash}`;
    const hosts = this.#hosts.get(key) ?? new Set();
    if (hosts.has(referrer)) return request;
    if (hosts.size >= mostHostsOfAddress) return { ...request, referrer: 'other' };
    if (this.#remembered >= mostRemembered) this.#forget();
    hosts.add(referrer);
    this.#hosts.set(key, hosts);
    this.#remembered += 1;
    return request;
  }

  #forget(): void {
    this.#hosts.clear();
    this.#remembered = 0;
  }
}
