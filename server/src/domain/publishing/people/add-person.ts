import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import {
  findExceeded,
  limitPeople,
  noPeople,
  type PeopleLimit,
  type PeopleSums,
  refuseLimit,
  withPerson,
} from './limit-people.ts';
import {
  insertPeople,
  selectLastPosition,
  selectPeopleByNames,
  selectPeopleSums,
  selectPersonByName,
  updatePersonColumns,
} from './people.sql.ts';
import {
  checkPerson,
  type KnownPerson,
  type NewPerson,
  normalizeTerm,
  type Person,
} from './person.ts';

/** `id` is the person's if given, and must be nobody's yet. */
export async function addPerson(ctx: Context, input: NewPerson, id = newId()): Promise<Person> {
  await authorize(ctx, 'people.edit', { podcastId: input.podcastId });
  refuseWrong('The person was not added.', checkPerson(input));
  return transact(ctx, async (tx) => {
    requireFound(await lockPodcast(tx.db, input.podcastId), 'podcast');
    return insertNew(tx, toPerson(input, id));
  });
}

/** A new person with the values that were not given. */
export function toPerson(input: NewPerson, id = newId()): Person {
  return {
    id,
    podcastId: input.podcastId,
    name: input.name.trim(),
    role: normalizeTerm(input.role ?? 'host'),
    group: normalizeTerm(input.group ?? 'cast'),
    userId: input.userId ?? null,
    bio: input.bio ?? null,
    linkUrl: input.linkUrl ?? null,
    photoId: input.photoId ?? null,
    roster: input.roster ?? true,
  };
}

/** Adds a person behind the others. The podcast is locked. */
async function insertNew(tx: Context, person: Person): Promise<Person> {
  const { podcastId } = person;
  // Before anything is written: an import that leaves the person out goes on with its transaction.
  const sums = await selectPeopleSums(tx.db, podcastId);
  limitPeople(sums, withPerson(sums, person));
  await revise(tx, { podcastId }, ['people']);
  const position = (await selectLastPosition(tx.db, podcastId)) + 1;
  const isInserted = (await insertPeople(tx.db, [{ ...person, position }], tx.clock.now())) === 1;
  if (!isInserted) throw refuseId();
  await limitTexts(tx, podcastId);
  await announceChange(tx, { kind: 'podcast.changed', podcastId });
  return person;
}

export const refuseId = () => invalid('new_id', 'Another person has this id.');

/**
 * Returns the podcast's person of that name, who is added if new. Adds new facts (a photo, a link,
 * a place on the roster), and removes none.
 */
export async function findOrAddPerson(ctx: Context, input: NewPerson): Promise<KnownPerson> {
  return transact(ctx, async (tx) => {
    const [added] = await findOrAddPeople(tx, input.podcastId, [input]);
    if (added?.limit !== undefined) throw refuseLimit(added.limit);
    return requireFound(added?.person, 'person');
  });
}

export interface FoundPerson {
  /** As they are now; undefined: new, and they do not fit into the show. */
  readonly person: KnownPerson | undefined;
  /** What is new would have exceeded it, so nothing has changed. */
  readonly limit: PeopleLimit | undefined;
}

/** The same for many, in their order and in a few statements: an import credits up to 200 at once. */
export async function findOrAddPeople(
  ctx: Context,
  podcastId: string,
  people: readonly Omit<NewPerson, 'podcastId'>[],
): Promise<FoundPerson[]> {
  await authorize(ctx, 'people.edit', { podcastId });
  if (people.length === 0) return [];
  return transact(ctx, async (tx) => {
    requireFound(await lockPodcast(tx.db, podcastId), 'podcast');
    const names = people.map(nameOf);
    const before = await selectPeopleByNames(tx.db, podcastId, names);
    const isNew = people.some((given) => hasNews(before.get(nameOf(given)), given));
    const draft = new PeopleDraft(
      before,
      isNew ? await selectPeopleSums(tx.db, podcastId) : noPeople,
    );
    const found = people.map((given) => draft.add({ ...given, podcastId }));
    await store(tx, podcastId, draft);
    return found;
  });
}

const nameOf = ({ name }: { readonly name: string }) => name.trim().toLowerCase();

type News = Partial<Pick<KnownPerson, 'linkUrl' | 'photoId' | 'roster'>>;

function newsOf(known: KnownPerson, given: Omit<NewPerson, 'podcastId'>): News {
  return {
    ...(known.linkUrl === null && given.linkUrl != null ? { linkUrl: given.linkUrl } : {}),
    ...(known.photoId === null && given.photoId != null ? { photoId: given.photoId } : {}),
    ...(!known.roster && given.roster === true ? { roster: true } : {}),
  };
}

function hasNews(known: KnownPerson | undefined, given: Omit<NewPerson, 'podcastId'>): boolean {
  return known === undefined || Object.keys(newsOf(known, given)).length > 0;
}

/** Who is added and changed, within the limits of the show. */
class PeopleDraft {
  readonly added = new Map<string, Person>();
  readonly changed = new Map<string, News>();
  readonly #people: Map<string, KnownPerson>;
  #sums: PeopleSums;

  /** By their names in lower case. */
  constructor(people: ReadonlyMap<string, KnownPerson>, sums: PeopleSums) {
    this.#people = new Map(people);
    this.#sums = sums;
  }

  add(given: NewPerson): FoundPerson {
    const key = nameOf(given);
    const known = this.#people.get(key);
    if (known === undefined) refuseWrong('The person was not added.', checkPerson(given));
    const news = known && newsOf(known, given);
    if (news !== undefined && Object.keys(news).length === 0) {
      return { person: known, limit: undefined };
    }
    const person = known === undefined ? toPerson(given) : { ...known, ...news, bio: null };
    const sums = withPerson(this.#sums, person, known && { ...known, bio: null });
    const limit = findExceeded(this.#sums, sums);
    if (limit !== undefined) return { person: known, limit };
    this.#sums = sums;
    this.#note(key, person, news);
    return { person, limit };
  }

  #note(key: string, person: Person, news: News | undefined): void {
    this.#people.set(key, person);
    // Named twice: who is new gets the facts of both.
    if (news === undefined || this.added.has(key)) this.added.set(key, person);
    else this.changed.set(person.id, { ...this.changed.get(person.id), ...news });
  }
}

async function store(
  tx: Context,
  podcastId: string,
  { added, changed }: PeopleDraft,
): Promise<void> {
  if (added.size + changed.size === 0) return;
  await revise(tx, { podcastId }, ['people']);
  if (added.size > 0) {
    const last = await selectLastPosition(tx.db, podcastId);
    const placed = [...added.values()].map((one, at) => ({ ...one, position: last + 1 + at }));
    await insertPeople(tx.db, placed, tx.clock.now());
  }
  for (const [id, news] of changed) await updatePersonColumns(tx.db, id, news);
  await limitTexts(tx, podcastId);
  await announceChange(tx, { kind: 'podcast.changed', podcastId });
}

/** The podcast's person of that name; for verbs that have checked the permission. */
export function findPerson(
  { db }: Context,
  podcastId: string,
  name: string,
): Promise<KnownPerson | undefined> {
  return selectPersonByName(db, podcastId, name.trim());
}
