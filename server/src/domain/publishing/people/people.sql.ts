import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { Role } from '../../foundation/enumerations.ts';
import { creditsUser } from '../../foundation/permissions/index.ts';
import { noPeople, type PeopleSums } from './limit-people.ts';
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

/** A person with their place in the list. */
export interface PlacedPerson extends Person {
  readonly position: number;
}

/** Returns how many were inserted: others have an id that is not free. */
export async function insertPeople(
  db: Db,
  people: readonly PlacedPerson[],
  createdAt: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into people (id, podcast_id, name, role, "group", user_id, bio, link_url, photo_id, roster,
      position, created_at)
    select given.*, ${createdAt}::timestamptz from ${rowsOf(people)}
    on conflict (id) do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** Replaces all columns of these people but their places. By people_pkey. */
export async function updatePeople(db: Db, people: readonly PlacedPerson[]): Promise<void> {
  if (people.length === 0) return;
  await sql`
    update people set name = given.name, role = given.role, "group" = given."group",
      user_id = given.user_id, bio = given.bio, link_url = given.link_url,
      photo_id = given.photo_id, roster = given.roster
    from ${rowsOf(people)} where people.id = given.id`.execute(db);
}

/** Sets only the places, which is quick: all others move when somebody becomes the first. By people_pkey. */
export async function updatePositions(
  db: Db,
  people: readonly Pick<PlacedPerson, 'id' | 'position'>[],
): Promise<void> {
  if (people.length === 0) return;
  await sql`
    update people set position = given.position
    from unnest(${people.map(({ id }) => id)}::uuid[],
      ${people.map(({ position }) => position)}::integer[]) given (id, position)
    where people.id = given.id`.execute(db);
}

function rowsOf(people: readonly PlacedPerson[]) {
  const each = <T>(read: (person: PlacedPerson) => T) => people.map(read);
  return sql`unnest(${each(({ id }) => id)}::uuid[], ${each(({ podcastId }) => podcastId)}::uuid[],
    ${each(({ name }) => name)}::text[], ${each(({ role }) => role)}::text[],
    ${each(({ group }) => group)}::text[], ${each(({ userId }) => userId)}::uuid[],
    ${each(({ bio }) => bio)}::text[], ${each(({ linkUrl }) => linkUrl)}::text[],
    ${each(({ photoId }) => photoId)}::uuid[], ${each(({ roster }) => roster)}::boolean[],
    ${each(({ position }) => position)}::integer[])
    given (id, podcast_id, name, role, "group", user_id, bio, link_url, photo_id, roster, position)`;
}

export async function updatePersonColumns(
  db: Db,
  personId: string,
  fields: Partial<Omit<Person, 'id' | 'podcastId'>>,
): Promise<void> {
  await db.updateTable('people').set(toRow(fields)).where('id', '=', personId).execute();
}

/** By people_pkey. */
export async function takeFromRoster(db: Db, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  await sql`update people set roster = false where id = any(${personIds}::uuid[])`.execute(db);
}

/** How many people the podcast has, and their texts. By people_of_podcast. */
export async function selectPeopleSums(db: Db, podcastId: string): Promise<PeopleSums> {
  const { rows } = await sql<PeopleSums>`
    select count(*)::integer as known, count(*) filter (where roster)::integer as roster,
      coalesce(sum(octet_length(name) + coalesce(octet_length(bio), 0)
        + coalesce(octet_length(link_url), 0)), 0)::integer as "textBytes"
    from people where podcast_id = ${podcastId}`.execute(db);
  return rows[0] ?? noPeople;
}

/** 0 if there is nobody. By people_of_podcast. */
export async function selectLastPosition(db: Db, podcastId: string): Promise<number> {
  const row = await db
    .selectFrom('people')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('podcast_id', '=', podcastId)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Lists people in the order of the roster. `peopleLimits` limits their bios. By people_of_podcast. */
export function selectPeople(db: Db, podcastId: string): Promise<Person[]> {
  return inOrder(db, podcastId).select(personColumns).execute();
}

/** The same with their places. */
export function selectPlacedPeople(db: Db, podcastId: string): Promise<PlacedPerson[]> {
  return inOrder(db, podcastId)
    .select([...personColumns, 'position'])
    .execute();
}

/** The same without bios. */
export function selectKnownPeople(db: Db, podcastId: string): Promise<KnownPerson[]> {
  return inOrder(db, podcastId).select(knownColumns).execute();
}

/** The ids of those on the roster. */
export async function selectRosterIds(db: Db, podcastId: string): Promise<string[]> {
  const rows = await inOrder(db, podcastId).select('id').where('roster', '=', true).execute();
  return rows.map(({ id }) => id);
}

const inOrder = (db: Db, podcastId: string) =>
  db.selectFrom('people').where('podcast_id', '=', podcastId).orderBy('position').orderBy('id');

/** The first person of the podcast who is the user. By people_user. */
export function selectPersonOfUser(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<KnownPerson | undefined> {
  return inOrder(db, podcastId)
    .select(knownColumns)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
}

/** Those of these ids that are people of the podcast. By people_pkey. */
export async function selectPeopleAmong(
  db: Db,
  podcastId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Person, 'id' | 'role' | 'group'>>> {
  const rows = await db
    .selectFrom('people')
    .select(['id', 'role', 'group'])
    .where('podcast_id', '=', podcastId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((person) => [person.id, person]));
}

/** Those of these people whom an episode credits. By episode_credits_of_person, one row of each. */
export async function selectCredited(
  db: Db,
  personIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${personIds}::uuid[]) given (id)
    cross join lateral (
      select from episode_credits where person_id = given.id limit 1) credit`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Those of these ids that are pictures of the podcast; by images_pkey. The lock keeps them from the
 * purge until they are named.
 */
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
    .forKeyShare()
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

/** Those of these episodes that credit a user themselves. By episode_credits_in_order. */
export async function selectCreditedAmong(
  db: Db,
  userId: string,
  episodeIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select e.id from unnest(${episodeIds}::uuid[]) e (id)
    where ${creditsUser(sql`${userId}::uuid`)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function deletePeople(db: Db, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  await sql`delete from people where id = any(${personIds}::uuid[])`.execute(db);
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
): Promise<KnownPerson | undefined> {
  return db
    .selectFrom('people')
    .select(knownColumns)
    .where('podcast_id', '=', podcastId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

/** The same for several, by their names in lower case. By people_by_name. */
export async function selectPeopleByNames(
  db: Db,
  podcastId: string,
  names: readonly string[],
): Promise<Map<string, KnownPerson>> {
  const rows = await db
    .selectFrom('people')
    .select(knownColumns)
    .select(sql<string>`lower(name)`.as('key'))
    .distinctOn(sql`lower(name)`)
    .where('podcast_id', '=', podcastId)
    .where(sql<boolean>`lower(name) = any(${names}::text[])`)
    .orderBy(sql`lower(name)`)
    .orderBy('position')
    .execute();
  return new Map(rows.map(({ key, ...person }) => [key, person]));
}

export function selectPerson(db: Db, personId: string): Promise<KnownPerson | undefined> {
  return db.selectFrom('people').select(knownColumns).where('id', '=', personId).executeTakeFirst();
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
