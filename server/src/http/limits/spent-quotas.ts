import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * A key that is revoked meanwhile must soon get 401 again, and the use of a key is still noted once
 * in this time.
 */
const rememberedMs = 1_000;
const mostKeys = 10_000;

/** A refusal for all requests with a key until its window ends. */
export interface SpentQuota {
  readonly limit: number;
  readonly endsAtMs: number;
}

/**
 * Remembers for a second which keys have no requests left in this minute, so that their next
 * requests are refused without a look-up.
 */
export class SpentQuotas {
  /** By the hash of the secret. */
  readonly #spent = new LRUCache<string, SpentQuota & { readonly notedAtMs: number }>({
    maxSize: mostKeys,
    sizeCalculation: () => 1,
  });

  note(secret: string, spent: SpentQuota, nowMs: number): void {
    this.#spent.set(nameOf(secret), { ...spent, notedAtMs: nowMs });
  }

  find(secret: string, nowMs: number): SpentQuota | undefined {
    // Most servers see no key that is out of requests.
    if (this.#spent.size === 0) return undefined;
    const name = nameOf(secret);
    const spent = this.#spent.get(name);
    if (spent === undefined) return undefined;
    const ageMs = nowMs - spent.notedAtMs;
    if (ageMs >= 0 && ageMs < rememberedMs && nowMs < spent.endsAtMs) return spent;
    this.#spent.delete(name);
    return undefined;
  }
}

function nameOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}
