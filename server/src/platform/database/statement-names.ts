import { createHash } from 'node:crypto';

const MAX_NAMES = 1_000;
const MAX_TEXT_LENGTH = 8_192;

/**
 * Which query texts are prepared under a name. First come, first named: a prepared statement holds
 * memory in every session, and a text that never comes again (a list of a thousand placeholders)
 * must not push out one that comes all day. So texts beyond the limits run unnamed.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #maxNames: number;
  #renewals = 0;

  constructor(maxNames: number = MAX_NAMES) {
    this.#maxNames = maxNames;
  }

  /** The name of a text, the same in every connection; undefined: run it unnamed. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= this.#maxNames || text.length > MAX_TEXT_LENGTH) return undefined;
    return this.#name(text);
  }

  /** A fresh name for a text whose statement has gone stale, so that it is prepared anew. */
  renew(text: string): void {
    if (!this.#names.has(text)) return;
    this.#renewals += 1;
    this.#name(text);
  }

  #name(text: string): string {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const name = this.#renewals === 0 ? `ps_${hash}` : `ps_${hash}_${this.#renewals}`;
    this.#names.set(text, name);
    return name;
  }
}
