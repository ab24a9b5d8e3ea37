import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Person } from './person.ts';

const personColumns = [
  'id',
  'podcast_id as podcastId',
  'name',
  'role',
  'group',
  'user_id as userId',
  'bio',
  'link_url as linkUrl',
  'photo_id as photoId',
  'roster',
] as const;

export async function insertPerson(db: Db, person: Person, createdAt: Date): Promise<void> {
  await db
    .insertInto('people')
    .values({
      id: person.id,
      podcast_id: person.podcastId,
      user_id: person.userId,
      name: person.name,
      role: person.role,
      group: person.group,
      bio: person.bio,
      link_url: person.linkUrl,
      photo_id: person.photoId,
      roster: person.roster,
      position: sql<number>`(
        select coalesce(max(position), 0) + 1 from people where podcast_id = ${person.podcastId}
      )`,
      created_at: createdAt,
    })
    .execute();
}

export async function updatePersonColumns(
  db: Db,
  personId: string,
  fields: Partial<Pick<Person, 'bio' | 'linkUrl' | 'photoId' | 'roster'>>,
): Promise<void> {
  const columns = {
    ...(fields.bio === undefined ? {} : { bio: fields.bio }),
    ...(fields.linkUrl === undefined ? {} : { link_url: fields.linkUrl }),
    ...(fields.photoId === undefined ? {} : { photo_id: fields.photoId }),
    ...(fields.roster === undefined ? {} : { roster: fields.roster }),
  };
  if (Object.keys(columns).length === 0) return;
  await db.updateTable('people').set(columns).where('id', '=', personId).execute();
}

/** By people_of_podcast. Names are how a feed tells people apart. */
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
    .values(
      credits.map((credit, position) => ({
        id: credit.id,
        episode_id: episodeId,
        person_id: credit.personId,
        role: credit.role,
        group: credit.group,
        position,
      })),
    )
    .onConflict((conflict) => conflict.columns(['episode_id', 'person_id', 'role']).doNothing())
    .execute();
}
