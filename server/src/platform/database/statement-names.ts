import { createHash } from 'node:crypto';

const MAX_NAMES = 1_000;
const MAX_TEXT_LENGTH = 8_192;

/**
 * The beginning of a statement whose best plan depends on its parameters, for example on the size of an
 * account. It is planned for them each time, not once for the average.
 */
export const plannedEachTime = '/* planned each time */';

/**
 * Chooses which query texts are prepared. First come, first served: prepared statements use memory
 * in every session, and one-off texts (a list of a thousand placeholders) must not displace
 * frequent ones. Texts beyond the limits run unprepared.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #maxNames: number;
  #renewals = 0;

  constructor(maxNames: number = MAX_NAMES) {
    this.#maxNames = maxNames;
  }

  /** The statement name of a text, the same in every connection; undefined: do not prepare it. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= this.#maxNames || text.length > MAX_TEXT_LENGTH) return undefined;
    if (text.trimStart().startsWith(plannedEachTime)) return undefined;
    return this.#name(text);
  }

  /** Gives a new name to a text whose statement is outdated, so that it is prepared again. */
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
