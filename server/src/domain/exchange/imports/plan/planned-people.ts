import type { Context } from '../../../foundation/context.ts';
import {
  findExceeded,
  type KnownPerson,
  listKnownPeople,
  measurePeople,
  noPeople,
  type PeopleSums,
  withPerson,
} from '../../../publishing/people/index.ts';
import type { ImportedPeople } from '../import-run.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';
import { tryPublicAddress } from './podcast-fields.ts';

type Planned = Pick<KnownPerson, 'name' | 'linkUrl' | 'roster'>;

/** For a dry run: the people that the show would have, without those who would not fit. */
export class PlannedPeople {
  readonly #people: ImportedPeople;
  /** By name in lower case. */
  readonly #known: Map<string, Planned>;
  #sums: PeopleSums;

  private constructor(people: ImportedPeople, known: readonly Planned[], sums: PeopleSums) {
    this.#people = people;
    this.#known = new Map(known.map((person) => [person.name.toLowerCase(), person]));
    this.#sums = sums;
  }

  /** Without `podcastId`, the show would be new. */
  static async begin(
    ctx: Context,
    podcastId: string | undefined,
    people: ImportedPeople,
  ): Promise<PlannedPeople> {
    if (podcastId === undefined) return new PlannedPeople(people, [], noPeople);
    const known = await listKnownPeople(ctx, podcastId);
    return new PlannedPeople(people, known, await measurePeople(ctx, podcastId));
  }

  /** The same as `importPeople` would do. */
  add({ name, href }: ParsedPerson, { roster }: { readonly roster: boolean }): void {
    const key = name.toLowerCase();
    const before = this.#known.get(key);
    const imported = this.#people.wasImported('link', name) ? undefined : tryPublicAddress(href);
    const after = {
      name: before?.name ?? name,
      linkUrl: before?.linkUrl ?? imported ?? null,
      roster: before?.roster === true || roster,
    };
    const sums = withPerson(
      this.#sums,
      { ...after, bio: null },
      before && { ...before, bio: null },
    );
    const limit = findExceeded(this.#sums, sums);
    if (limit !== undefined) {
      this.#people.leaveOut(limit, name, before);
      return;
    }
    this.#known.set(key, after);
    this.#sums = sums;
  }
}
