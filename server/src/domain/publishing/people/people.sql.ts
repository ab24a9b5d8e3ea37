import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { Role } from '../../foundation/enumerations.ts';
import type { KnownPerson, OwnCredit, Person } from './person.ts';

const knownColumns = [
  'id',
  'podcast_id as podcastId',
  'name',
  'role',
  'group',
  'user_id as userId',
  'link_url as linkUrl',
  'photo_id as photoId',
  'roster',
] as const;

const personColumns = [...knownColumns, 'bio'] as const;

/** Returns whether the id was free. */
export async function insertPerson(db: Db, person: Person, createdAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('people')
    .values({
      ...toRow({ ...person, createdAt }),
      position: sql<number>`(
        select coalesce(max(position), 0) + 1 from people where podcast_id = ${person.podcastId}
      )`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted === 1n;
}

export async function updatePersonColumns(
  db: Db,
  personId: string,
  fields: PersonChanges,
): Promise<void> {
  if (Object.values(fields).every((value) => value === undefined)) return;
  await db.updateTable('people').set(toRow(fields)).where('id', '=', personId).execute();
}

export type PersonChanges = Partial<Omit<Person, 'id' | 'podcastId'>> & {
  readonly position?: number;
};

/** Lists people in the order of the roster. By people_of_podcast. */
export function selectPeople(db: Db, podcastId: string): Promise<Person[]> {
  return db
    .selectFrom('people')
    .select(personColumns)
    .where('podcast_id', '=', podcastId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The same without bios, which are long. By people_of_podcast. */
export function selectKnownPeople(db: Db, podcastId: string): Promise<KnownPerson[]> {
  return db
    .selectFrom('people')
    .select(knownColumns)
    .where('podcast_id', '=', podcastId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Returns those of these people whom an episode credits. By episode_credits_of_person. */
export async function selectCredited(
  db: Db,
  personIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('episode_credits')
    .select('person_id as id')
    .distinct()
    .where('person_id', 'in', personIds)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those of these ids that are pictures of the podcast; by images_pkey. */
export async function selectPhotosOfPodcast(
  db: Db,
  podcastId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('podcast_id', '=', podcastId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those of these ids that are members of the podcast; by podcast_members_pkey. */
export async function selectMembersAmong(
  db: Db,
  podcastId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('podcast_members')
    .select('user_id as id')
    .where('podcast_id', '=', podcastId)
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** By podcast_members_pkey and users_pkey. */
export function selectMember(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<{ readonly name: string; readonly role: Role } | undefined> {
  return db
    .selectFrom('podcast_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['users.name', 'member.role'])
    .where('member.podcast_id', '=', podcastId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst();
}

/** Lists the episodes that credit a user themselves. By people_of_podcast and episode_credits_of_person. */
export async function selectCreditedEpisodes(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('people')
    .innerJoin('episode_credits as credit', 'credit.person_id', 'people.id')
    .select('credit.episode_id as id')
    .distinct()
    .where('people.podcast_id', '=', podcastId)
    .where('people.user_id', '=', userId)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deletePeople(db: Db, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('people').where('id', 'in', personIds).execute();
}

/** Lists the people whom an episode names itself. By episode_credits_in_order. */
export function selectOwnCredits(db: Db, episodeId: string): Promise<OwnCredit[]> {
  return db
    .selectFrom('episode_credits as credit')
    .innerJoin('people', 'people.id', 'credit.person_id')
    .select(['people.id as personId', 'people.name', 'credit.role', 'credit.group'])
    .where('credit.episode_id', '=', episodeId)
    .orderBy('credit.position')
    .orderBy('credit.id')
    .execute();
}

/** Finds by name, which identifies people in a feed. By people_by_name. */
export function selectPersonByName(
  db: Db,
  podcastId: string,
  name: string,
): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select(personColumns)
    .where('podcast_id', '=', podcastId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

export function selectPerson(db: Db, personId: string): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select(personColumns)
    .where('id', '=', personId)
    .executeTakeFirst();
}

export async function replaceCredits(
  db: Db,
  episodeId: string,
  credits: readonly { id: string; personId: string; role: string; group: string }[],
): Promise<void> {
  await db.deleteFrom('episode_credits').where('episode_id', '=', episodeId).execute();
  if (credits.length === 0) return;
  await db
    .insertInto('episode_credits')
    .values(credits.map((credit, position) => toRow({ ...credit, episodeId, position })))
    .onConflict((conflict) => conflict.columns(['episode_id', 'person_id', 'role']).doNothing())
    .execute();
}
