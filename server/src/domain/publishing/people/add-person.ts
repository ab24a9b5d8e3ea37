import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { limitPeople, withPerson } from './limit-people.ts';
import {
  insertPeople,
  selectLastPosition,
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
  const { podcastId } = input;
  await authorize(ctx, 'people.edit', { podcastId });
  return transact(ctx, async (tx) => {
    requireFound(await lockPodcast(tx.db, podcastId), 'podcast');
    const known = await selectPersonByName(tx.db, podcastId, input.name.trim());
    if (known === undefined) {
      refuseWrong('The person was not added.', checkPerson(input));
      return insertNew(tx, toPerson(input));
    }
    const news = {
      ...(known.linkUrl === null && input.linkUrl != null ? { linkUrl: input.linkUrl } : {}),
      ...(known.photoId === null && input.photoId != null ? { photoId: input.photoId } : {}),
      ...(!known.roster && input.roster === true ? { roster: true } : {}),
    };
    if (Object.keys(news).length === 0) return known;
    const changed = { ...known, ...news };
    const sums = await selectPeopleSums(tx.db, podcastId);
    limitPeople(sums, withPerson(sums, { ...changed, bio: null }, { ...known, bio: null }));
    await revise(tx, { podcastId }, ['people']);
    await updatePersonColumns(tx.db, known.id, news);
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    return changed;
  });
}

/** The podcast's person of that name; for verbs that have checked the permission. */
export function findPerson(
  { db }: Context,
  podcastId: string,
  name: string,
): Promise<KnownPerson | undefined> {
  return selectPersonByName(db, podcastId, name.trim());
}
