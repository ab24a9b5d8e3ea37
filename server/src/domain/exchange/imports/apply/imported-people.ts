import type { Context } from '../../../foundation/context.ts';
import { mergeImported, selectPeopleParts } from '../match/known-identities.sql.ts';
import { hashValue, type MergeRules } from '../plan/imported-values.ts';

type PersonPart = 'link' | 'photo';

/**
 * The people whose links and photos came from imports. A part that is missing now was removed here,
 * and stays removed.
 */
export class ImportedPeople {
  readonly #rules: MergeRules;
  readonly #noted = new Set<string>();

  constructor(rules: MergeRules) {
    this.#rules = rules;
  }

  /** Whether an earlier import set it; always false with `overwrite`. */
  wasImported(part: PersonPart, name: string): boolean {
    const { imported, overwrite } = this.#rules;
    return !overwrite && imported?.[keyOf(part, name)] !== undefined;
  }

  note(part: PersonPart, name: string): void {
    const key = keyOf(part, name);
    if (this.#rules.imported?.[key] === undefined) this.#noted.add(key);
  }

  /** Stores all at once: a feed may name 9,000 people. */
  async keep(ctx: Context, podcastId: string): Promise<void> {
    if (this.#noted.size === 0) return;
    const news: Record<string, string> = {};
    for (const { name, hasLink, hasPhoto } of await selectPeopleParts(ctx.db, podcastId)) {
      const [link, photo] = [keyOf('link', name), keyOf('photo', name)];
      if (hasLink && this.#noted.has(link)) news[link] = hashValue(true);
      if (hasPhoto && this.#noted.has(photo)) news[photo] = hashValue(true);
    }
    await mergeImported(ctx.db, 'podcasts', podcastId, news);
    this.#noted.clear();
  }
}

const keyOf = (part: PersonPart, name: string): string =>
  `${part}:${hashValue(name.trim().toLowerCase())}`;
