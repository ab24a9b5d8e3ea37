import { type Context, transact } from '../../foundation/context.ts';
import { type ErrorDetail, invalid, notFound, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isTrusted } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { addPerson } from './add-person.ts';
import {
  deletePeople,
  selectCredited,
  selectMembersAmong,
  selectPeople,
  selectPerson,
  selectPhotosOfPodcast,
  updatePersonColumns,
} from './people.sql.ts';
import { checkPerson, type GivenPerson, type NewPerson, type Person } from './person.ts';

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
    const before = await listPeople(tx, podcastId);
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
    const stayed = before.filter((person) => kept.has(person));
    const isOneLeaving = leaving.fromRoster.length + leaving.forGood.length > 0;
    if (!isOneLeaving && isSameList(people, stayed, matches)) return;
    await revise(tx, { podcastId }, ['people']);
    await remove(tx, leaving);
    for (const [index, person] of people.entries()) {
      const id =
        matches.get(person)?.id ??
        (await addPerson(tx, { ...person, podcastId }, person.newId?.toLowerCase())).id;
      await updatePersonColumns(tx.db, id, { ...normalize(person), position: index + 1 });
    }
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}

/** Finds the person of each entry; a new person has none. Throws for an unknown id. */
function matchPeople(
  people: readonly GivenPerson[],
  before: readonly Person[],
): ReadonlyMap<GivenPerson, Person> {
  const byId = new Map(before.map((person) => [person.id, person]));
  const matches = new Map<GivenPerson, Person>();
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

/** Whether the list changes nothing: each entry is the person at its place with the same values. */
function isSameList(
  people: readonly GivenPerson[],
  before: readonly Person[],
  matches: ReadonlyMap<GivenPerson, Person>,
): boolean {
  if (people.length !== before.length) return false;
  return people.every((given, index) => {
    const person = before[index];
    if (person === undefined || matches.get(given) !== person) return false;
    const now: Readonly<Record<string, unknown>> = { ...person };
    const said = Object.entries(normalize(given)).filter(([, value]) => value !== undefined);
    return said.every(([field, value]) => now[field] === value);
  });
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

function normalize({ id: _, newId: __, name, role, group, ...rest }: GivenPerson) {
  return {
    ...rest,
    name: name.trim(),
    ...(role === undefined ? {} : { role: role.toLowerCase() }),
    ...(group === undefined ? {} : { group: group.toLowerCase() }),
  };
}

interface Leaving {
  readonly fromRoster: readonly Person[];
  /** Nothing credits them. */
  readonly forGood: readonly Person[];
}

/** Whom a list changes by leaving them out. Who is credited and off the roster stays so. */
async function findLeaving({ db }: Context, leftOut: readonly Person[]): Promise<Leaving> {
  if (leftOut.length === 0) return { fromRoster: [], forGood: [] };
  const credited = await selectCredited(
    db,
    leftOut.map(({ id }) => id),
  );
  return {
    fromRoster: leftOut.filter(({ id, roster }) => roster && credited.has(id)),
    forGood: leftOut.filter(({ id }) => !credited.has(id)),
  };
}

async function remove({ db }: Context, { fromRoster, forGood }: Leaving): Promise<void> {
  for (const { id } of fromRoster) await updatePersonColumns(db, id, { roster: false });
  if (forGood.length === 0) return;
  await deletePeople(
    db,
    forGood.map(({ id }) => id),
  );
}

/**
 * Refuses photos of other podcasts, and users who are no members: a credited user sees episodes.
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
  const idsOf = (field: 'photoId' | 'userId', list: readonly GivenPerson[] | readonly Person[]) =>
    list.flatMap((person) => person[field] ?? []);
  const users = await selectMembersAmong(ctx.db, podcastId, idsOf('userId', people));
  const photos = await selectPhotosOfPodcast(ctx.db, podcastId, idsOf('photoId', people));
  const allowed = {
    userId: new Set([...users, ...idsOf('userId', before)]),
    photoId: new Set([...photos, ...idsOf('photoId', before)]),
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
    // Locks the podcast, so that the person cannot be removed meanwhile.
    await revise(tx, { podcastId }, ['people'], expectation);
    const person = await selectPerson(tx.db, personId);
    if (person?.podcastId !== podcastId.toLowerCase()) throw notFound('person');
    await updatePersonColumns(tx.db, person.id, { photoId });
    await announceChange(tx, { kind: 'podcast.changed', podcastId: person.podcastId });
  });
}
