import { createYielder } from '../../../lib/time-slices.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { type ErrorDetail, invalid, notFound, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isTrusted } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { refuseId, toPerson } from './add-person.ts';
import { limitPeople, type PeopleSums, sumPeople } from './limit-people.ts';
import {
  deletePeople,
  insertPeople,
  type PlacedPerson,
  selectCredited,
  selectKnownPeople,
  selectMembersAmong,
  selectPeople,
  selectPeopleSums,
  selectPerson,
  selectPhotosOfPodcast,
  selectPlacedPeople,
  takeFromRoster,
  updatePeople,
  updatePersonColumns,
  updatePositions,
} from './people.sql.ts';
import {
  checkPerson,
  type GivenPerson,
  type KnownPerson,
  type NewPerson,
  normalizeTerm,
  type Person,
} from './person.ts';

/**
 * Sets the people of a podcast, in this order. An id identifies a person, else the name does; a new
 * person gets the given `newId`. Fields left out keep their values. People left out leave the
 * roster; those without credits are deleted. An empty list empties the roster. A list that changes
 * nothing makes no revision.
 */
export async function setPeople(
  ctx: Context,
  podcastId: string,
  people: readonly GivenPerson[],
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'people.edit', { podcastId });
  refuseWrong("The podcast's people were not saved.", checkPeople(people));
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    // Checks the revision only; whether anything changes is known later.
    await revise(tx, { podcastId }, [], expectation);
    const before = await selectPlacedPeople(tx.db, podcastId);
    await checkPersonReferences(tx, podcastId, { people, before });
    const matches = matchPeople(people, before);
    if (people.some((person) => isLinked(person, matches.get(person)))) {
      await authorize(tx, 'people.link', { podcastId });
    }
    const kept = new Set(matches.values());
    const leaving = await findLeaving(
      tx,
      before.filter((person) => !kept.has(person)),
    );
    const changes = await findChanges(podcastId, people, { before, matches });
    if (isNothing(leaving, changes)) return;
    limitPeople(sumPeople(before), sumPeople([...changes.listed, ...leaving.staying]));
    await revise(tx, { podcastId }, ['people']);
    await remove(tx, leaving);
    await store(tx, changes);
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}

/** The person whom each entry of a list means; a new person has none. */
type Matches = ReadonlyMap<GivenPerson, PlacedPerson>;

/** What a list changes. */
interface Changes {
  /** Everybody in the list, as they are afterwards. */
  readonly listed: readonly PlacedPerson[];
  readonly added: readonly PlacedPerson[];
  readonly changed: readonly PlacedPerson[];
  readonly moved: readonly PlacedPerson[];
  /** Whether the people who stay have another order than before. */
  readonly isReordered: boolean;
}

/** Yields to other tasks: a list may be long. */
async function findChanges(
  podcastId: string,
  people: readonly GivenPerson[],
  { before, matches }: { readonly before: readonly PlacedPerson[]; readonly matches: Matches },
): Promise<Changes> {
  const ranks = new Map(before.map((person, rank) => [person, rank]));
  const [listed, added]: [PlacedPerson[], PlacedPerson[]] = [[], []];
  const [changed, moved]: [PlacedPerson[], PlacedPerson[]] = [[], []];
  let isReordered = false;
  let last = -1;
  const maybeYield = createYielder();
  for (const [index, given] of people.entries()) {
    const known = matches.get(given);
    const base = known ?? toPerson({ ...given, podcastId }, given.newId?.toLowerCase());
    const person = { ...base, ...valuesOf(given), position: index + 1 };
    listed.push(person);
    if (known === undefined) {
      added.push(person);
      continue;
    }
    if (isChanged(known, person)) changed.push(person);
    if (known.position !== person.position) moved.push(person);
    const rank = ranks.get(known) ?? 0;
    isReordered ||= rank < last;
    last = rank;
    await maybeYield();
  }
  return { listed, added, changed, moved, isReordered };
}

function isChanged(before: PlacedPerson, after: PlacedPerson): boolean {
  const { position: _, ...values } = after;
  return Object.entries(values).some(([field, value]) => before[field as keyof Person] !== value);
}

function isNothing(leaving: Leaving, { added, changed, isReordered }: Changes): boolean {
  const touched = [leaving.fromRoster, leaving.forGood, added, changed];
  return !isReordered && touched.every((people) => people.length === 0);
}

/** A few statements, however many people change; somebody who stays the same takes none. */
async function store({ db, clock }: Context, { added, changed, moved }: Changes): Promise<void> {
  if (added.length > 0 && (await insertPeople(db, added, clock.now())) < added.length) {
    throw refuseId();
  }
  await updatePeople(db, changed);
  await updatePositions(db, moved);
}

/** Finds the person of each entry; a new person has none. Throws for an unknown id. */
function matchPeople(people: readonly GivenPerson[], before: readonly PlacedPerson[]): Matches {
  const byId = new Map(before.map((person) => [person.id, person]));
  const matches = new Map<GivenPerson, PlacedPerson>();
  for (const [index, given] of people.entries()) {
    if (given.id === undefined) continue;
    const person = byId.get(given.id.toLowerCase());
    if (person === undefined) {
      throw invalid(`people[${index}].id`, sayRefusal('no_such_person'));
    }
    byId.delete(person.id);
    matches.set(given, person);
  }
  for (const given of people) {
    const person = given.newId === undefined ? undefined : byId.get(given.newId.toLowerCase());
    if (person === undefined) continue;
    byId.delete(person.id);
    matches.set(given, person);
  }
  const byName = new Map([...byId.values()].map((person) => [normalizedName(person), person]));
  for (const given of people) {
    const isKnown = given.id !== undefined || matches.has(given);
    const person = isKnown ? undefined : byName.get(normalizedName(given));
    if (person !== undefined) matches.set(given, person);
  }
  return matches;
}

/** Whether the entry says that a person is another user than before. */
function isLinked({ userId }: GivenPerson, before: Person | undefined): boolean {
  return userId !== undefined && userId !== (before?.userId ?? null);
}

/** Lists everybody a podcast knows, for its members. */
export async function readPeople(ctx: Context, podcastId: string): Promise<Person[]> {
  await authorize(ctx, 'people.read', { podcastId });
  return listPeople(ctx, podcastId);
}

/** Lists everybody a podcast knows, including people off its roster, in order. */
export function listPeople(ctx: Context, podcastId: string): Promise<Person[]> {
  return selectPeople(ctx.db, podcastId);
}

/** The same without bios. */
export function listKnownPeople(ctx: Context, podcastId: string): Promise<KnownPerson[]> {
  return selectKnownPeople(ctx.db, podcastId);
}

/** How much of each limit the people of a show use; for imports. */
export function measurePeople(ctx: Context, podcastId: string): Promise<PeopleSums> {
  return selectPeopleSums(ctx.db, podcastId);
}

/** All validation errors; `field` includes the index. */
export function checkPeople(people: readonly Omit<NewPerson, 'podcastId'>[]) {
  const seen = new Set<string>();
  return people.flatMap((person, index) => {
    const path = `people[${index}]`;
    const problems = checkPerson(person).map((detail) => ({
      ...detail,
      field: `${path}.${detail.field}`,
    }));
    if (seen.has(normalizedName(person))) {
      problems.push({ field: `${path}.name`, message: 'This name is already in the list.' });
    }
    seen.add(normalizedName(person));
    return problems;
  });
}

/** Two people of a podcast differ in their normalized names. */
function normalizedName({ name }: { readonly name: string }): string {
  return name.trim().toLowerCase();
}

/** The values that an entry gives; those left out are missing. */
function valuesOf({ id: _, newId: __, ...given }: GivenPerson): Partial<Person> & { name: string } {
  const { name, role, group } = given;
  const values = {
    ...given,
    role: role && normalizeTerm(role),
    group: group && normalizeTerm(group),
  };
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(said), name: name.trim() };
}

interface Leaving {
  readonly fromRoster: readonly Person[];
  /** Nothing credits them. */
  readonly forGood: readonly Person[];
  /** Everybody who is credited and so stays, off the roster. */
  readonly staying: readonly Person[];
}

/** Whom a list changes by leaving them out. Who is credited and off the roster stays so. */
async function findLeaving({ db }: Context, leftOut: readonly Person[]): Promise<Leaving> {
  if (leftOut.length === 0) return { fromRoster: [], forGood: [], staying: [] };
  const credited = await selectCredited(db, idsOf(leftOut));
  return {
    fromRoster: leftOut.filter(({ id, roster }) => roster && credited.has(id)),
    forGood: leftOut.filter(({ id }) => !credited.has(id)),
    staying: leftOut.flatMap((one) => (credited.has(one.id) ? { ...one, roster: false } : [])),
  };
}

async function remove({ db }: Context, { fromRoster, forGood }: Leaving): Promise<void> {
  await takeFromRoster(db, idsOf(fromRoster));
  await deletePeople(db, idsOf(forGood));
}

const idsOf = (people: readonly Person[]) => people.map(({ id }) => id);

/**
 * Refuses photos of other podcasts, and users who are not members: a credited user sees episodes.
 * Existing references may stay. The operator may name anybody.
 */
async function checkPersonReferences(
  ctx: Context,
  podcastId: string,
  {
    people,
    before,
  }: { readonly people: readonly GivenPerson[]; readonly before: readonly Person[] },
): Promise<void> {
  if (isTrusted(ctx)) return;
  const referred = (
    field: 'photoId' | 'userId',
    list: readonly GivenPerson[] | readonly Person[],
  ) => list.flatMap((person) => person[field] ?? []);
  const users = await selectMembersAmong(ctx.db, podcastId, referred('userId', people));
  const photos = await selectPhotosOfPodcast(ctx.db, podcastId, referred('photoId', people));
  const allowed = {
    userId: new Set([...users, ...referred('userId', before)]),
    photoId: new Set([...photos, ...referred('photoId', before)]),
  };
  const details = people.flatMap(({ userId, photoId }, index): ErrorDetail[] => {
    const problems: ErrorDetail[] = [];
    const field = (name: string) => `people[${index}].${name}`;
    if (userId != null && !allowed.userId.has(userId)) {
      problems.push({ field: field('user_id'), ...sayRefusal('no_member') });
    }
    if (photoId != null && !allowed.photoId.has(photoId)) {
      problems.push({ field: field('photo_id'), message: 'The podcast has no such image.' });
    }
    return problems;
  });
  refuseWrong("The podcast's people were not saved.", details);
}

export interface OnePerson {
  readonly podcastId: string;
  readonly personId: string;
}

/** Null removes the photo; otherwise it is a picture of the podcast. */
export async function setPersonPhoto(
  ctx: Context,
  { podcastId, personId }: OnePerson,
  photoId: string | null,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'people.edit', { podcastId });
  await transact(ctx, async (tx) => {
    // Locks the podcast, so that the person cannot be removed in the meantime.
    await revise(tx, { podcastId }, ['people'], expectation);
    const person = await selectPerson(tx.db, personId);
    if (person?.podcastId !== podcastId.toLowerCase()) throw notFound('person');
    await updatePersonColumns(tx.db, person.id, { photoId });
    await announceChange(tx, { kind: 'podcast.changed', podcastId: person.podcastId });
  });
}
