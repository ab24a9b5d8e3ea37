import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { keptRevisions, type Revision, type Subject } from './revision.ts';

/** The table of the subject, and the column that names it in `revisions`. */
function placeOf(subject: Subject): {
  readonly table: RawBuilder<unknown>;
  readonly key: RawBuilder<unknown>;
  readonly id: string;
} {
  return 'episodeId' in subject
    ? { table: sql`episodes`, key: sql`episode_id`, id: subject.episodeId }
    : { table: sql`podcasts`, key: sql`podcast_id`, id: subject.podcastId };
}

/** By the primary key. */
export async function selectRevision(db: Db, subject: Subject): Promise<number | undefined> {
  const { table, id } = placeOf(subject);
  const { rows } = await sql<{ revision: number }>`
    select revision from ${table} where id = ${id}`.execute(db);
  return rows[0]?.revision;
}

/** Locks the subject until the transaction ends; undefined if it does not exist. */
export async function lockRevision(db: Db, subject: Subject): Promise<number | undefined> {
  const { table, id } = placeOf(subject);
  const { rows } = await sql<{ revision: number }>`
    select revision from ${table} where id = ${id} for no key update`.execute(db);
  return rows[0]?.revision;
}

/**
 * Raises the subject's revision, stores the changed fields, and deletes the oldest stored revision.
 * Locks the subject until the transaction ends. Undefined if it does not exist.
 */
export async function insertRevision(
  db: Db,
  subject: Subject,
  change: {
    readonly fields: readonly string[];
    readonly userId: string | null;
    readonly createdAt: Date;
  },
): Promise<number | undefined> {
  const { table, key, id } = placeOf(subject);
  const { rows } = await sql<{ revision: number }>`
    with revised as (
      update ${table} set revision = revision + 1 where id = ${id} returning revision),
    remembered as (
      insert into revisions (${key}, revision, user_id, fields, created_at)
      select ${id}, revision, ${change.userId}::uuid, ${change.fields}::text[],
        ${change.createdAt}::timestamptz from revised),
    dropped as (
      delete from revisions where ${key} = ${id}
        and revision <= (select revision - ${keptRevisions} from revised))
    select revision from revised`.execute(db);
  return rows[0]?.revision;
}

/** Adds fields to the newest revision. By revisions_of_episode or revisions_of_podcast. */
export async function addRevisedFields(
  db: Db,
  subject: Subject,
  fields: readonly string[],
): Promise<void> {
  const { table, key, id } = placeOf(subject);
  await sql`
    update revisions set fields = fields || ${fields}::text[]
    where ${key} = ${id} and revision = (select revision from ${table} where id = ${id})`.execute(
    db,
  );
}

/** The changes after one revision up to another, newest first. By the same indexes. */
export async function selectRevisions(
  db: Db,
  subject: Subject,
  range: { readonly after: number; readonly upTo: number },
): Promise<Revision[]> {
  const { key, id } = placeOf(subject);
  const { rows } = await sql<Revision>`
    select r.revision, r.fields, u.name as by, u.id as "userId", r.created_at as at
    from revisions r left join users u on u.id = r.user_id
    where r.${key} = ${id} and r.revision > ${range.after} and r.revision <= ${range.upTo}
    order by r.revision desc`.execute(db);
  return rows;
}
