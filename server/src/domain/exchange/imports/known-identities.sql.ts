import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { ImportedValues } from './imported-values.ts';

/** Identifies an episode of a podcast, also after it was deleted. */
export interface KnownIdentity {
  readonly episodeId: string;
  readonly isDeleted: boolean;
  /** In our feed. */
  readonly guid: string;
  readonly key: string | null;
  /** The fingerprint of the enclosure, or its URL if it has none. */
  readonly audio: string | null;
  /** Null if deleted. */
  readonly title: string | null;
  readonly date: Date | null;
}

/** All of a podcast; by episodes_listed and the primary key. */
export async function selectKnownIdentities(db: Db, podcastId: string): Promise<KnownIdentity[]> {
  const { rows } = await sql<KnownIdentity>`
    select id as "episodeId", false as "isDeleted", coalesce(guid, id::text) as guid,
      source_key as key, coalesce(source_enclosure_sha256, source_enclosure_url) as audio, title,
      coalesce(published_at, scheduled_for, intended_published_at) as date
    from episodes where podcast_id = ${podcastId}
    union all
    select episode_id, true, guid, source_key, source_enclosure_sha256, null, null
    from deleted_episodes where podcast_id = ${podcastId}`.execute(db);
  return rows;
}

export interface LikePodcast {
  readonly slug: string;
  readonly title: string;
  readonly audio: number;
  readonly titles: number;
}

/** The account's podcast with most of these audio fingerprints, else most of the titles. */
export async function selectLikePodcast(
  db: Db,
  account: { readonly id: string; readonly without?: string },
  likeness: { readonly audio: readonly string[]; readonly titles: readonly string[] },
): Promise<LikePodcast | undefined> {
  const { audio, titles } = likeness;
  const { rows } = await sql<LikePodcast>`
    select p.slug, p.title, found.audio, found.titles
    from podcasts p cross join lateral (
      select count(distinct e.source_enclosure_sha256)
          filter (where e.source_enclosure_sha256 = any(${audio}::text[]))::int as audio,
        count(distinct lower(e.title)) filter (where lower(e.title) = any(${titles}::text[]))::int as titles
      from episodes e where e.podcast_id = p.id
    ) found
    where p.account_id = ${account.id} and p.id is distinct from ${account.without ?? null}::uuid
      and found.audio + found.titles > 0
    order by found.audio desc, found.titles desc, p.created_at
    limit 1`.execute(db);
  return rows[0];
}

/** For an episode that is restored. */
export async function purgeDeletion(db: Db, podcastId: string, episodeId: string): Promise<void> {
  await db
    .deleteFrom('deleted_episodes')
    .where('podcast_id', '=', podcastId)
    .where('episode_id', '=', episodeId)
    .execute();
}

/** The values of a podcast's last import; by the primary key. */
export async function selectImportedOf(db: Db, podcastId: string): Promise<ImportedValues | null> {
  const row = await db
    .selectFrom('podcasts')
    .select('imported')
    .where('id', '=', podcastId)
    .executeTakeFirst();
  return (row?.imported ?? null) as ImportedValues | null;
}

/** In lower case. */
export async function selectRosterNames(db: Db, podcastId: string): Promise<Set<string>> {
  const people = await db
    .selectFrom('people')
    .select('name')
    .where('podcast_id', '=', podcastId)
    .where('roster', '=', true)
    .execute();
  return new Set(people.map(({ name }) => name.toLowerCase()));
}

/** The links and photos of a podcast's people. */
export async function selectPeopleParts(
  db: Db,
  podcastId: string,
): Promise<{ name: string; hasLink: boolean; hasPhoto: boolean }[]> {
  const { rows } = await sql<{ name: string; hasLink: boolean; hasPhoto: boolean }>`
    select name, link_url is not null as "hasLink", photo_id is not null as "hasPhoto"
    from people where podcast_id = ${podcastId}`.execute(db);
  return rows;
}

/** Adds to the values of the last import; by the primary key. */
export async function mergeImported(
  db: Db,
  table: 'episodes' | 'podcasts',
  id: string,
  values: ImportedValues,
): Promise<void> {
  const added = JSON.stringify(values);
  await sql`update ${sql.table(table)}
    set imported = coalesce(imported, '{}') || ${added}::jsonb where id = ${id}`.execute(db);
}
