import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** In a process. Beyond it, those that were used least recently are forgotten. */
const mostSecrets = 10_000;

/**
 * Remembers which secrets belonged to a session or a key when they were last looked up. They are looked
 * up again for each request, but without waiting among those that may be invented.
 */
export class KnownSecrets {
  /** By hash, so that no secret stays in memory. */
  readonly #known = new LRUCache<string, true>({ maxSize: mostSecrets, sizeCalculation: () => 1 });

  /** Finds what belongs to the secret, and is told whether anything did before. */
  async find<T extends object>(
    secret: string,
    lookUp: (isKnown: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const name = hash('sha256', secret, 'base64');
    const found = await lookUp(this.#known.get(name) ?? false);
    if (found === undefined) this.#known.delete(name);
    else this.#known.set(name, true);
    return found;
  }
}
