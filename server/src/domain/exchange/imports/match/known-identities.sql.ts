import { sql } from 'kysely';
import { episodeFields } from '../../../../lib/fields/episode-fields.ts';
import { nilId } from '../../../../lib/uuid.ts';
import { columnObject, type Db } from '../../../foundation/database.ts';
import type { EpisodeStatus } from '../../../foundation/enumerations.ts';
import {
  type EpisodeFields,
  type EpisodeSource,
  selectEpisodeIds,
} from '../../../publishing/episodes/index.ts';
import type { Chapter } from '../../../publishing/transcripts/index.ts';
import type { ImportedValues } from '../plan/imported-values.ts';

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

const pageRows = 1_000;

/** All of a podcast, in batches: a show may have hundreds of thousands, most of them deleted. */
export async function* readKnownIdentities(
  db: Db,
  podcastId: string,
): AsyncGenerator<readonly KnownIdentity[]> {
  for await (const ids of selectEpisodeIds(db, podcastId, pageRows)) {
    yield await selectIdentities(db, ids);
  }
  let deleted: KnownIdentity | undefined;
  do {
    const page: KnownIdentity[] = await selectDeletedIdentities(db, podcastId, deleted);
    yield page;
    deleted = page.length < pageRows ? undefined : page.at(-1);
  } while (deleted !== undefined);
}

/** By the primary key. */
async function selectIdentities(db: Db, ids: readonly string[]): Promise<KnownIdentity[]> {
  const { rows } = await sql<KnownIdentity>`
    select id as "episodeId", false as "isDeleted", coalesce(guid, id::text) as guid,
      source_key as key, coalesce(source_enclosure_sha256, source_enclosure_url) as audio, title,
      coalesce(published_at, scheduled_for, intended_published_at) as date
    from episodes where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** By the primary key. */
async function selectDeletedIdentities(
  db: Db,
  podcastId: string,
  after: KnownIdentity | undefined,
): Promise<KnownIdentity[]> {
  const { rows } = await sql<KnownIdentity>`
    select episode_id as "episodeId", true as "isDeleted", guid, source_key as key,
      source_enclosure_sha256 as audio, null as title, null as date
    from deleted_episodes
    where podcast_id = ${podcastId} and episode_id > ${after?.episodeId ?? nilId}::uuid
    order by episode_id
    limit ${pageRows}`.execute(db);
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

/** The existing episode that an import compares an item with. */
export interface KnownItem {
  readonly episodeId: string;
  readonly createdAt: Date;
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  /** While it waits for its audio. */
  readonly intendedPublishedAt: Date | null;
  readonly scheduledFor: Date | null;
  /** The number only if it was set explicitly. */
  readonly fields: Omit<EpisodeFields, 'slug' | 'shareTranscriptWithCohosts' | 'episodeNumber'> &
    Partial<Pick<EpisodeFields, 'episodeNumber'>>;
  readonly source: Omit<EpisodeSource, 'key'> & { readonly key: string | null };
  /** The values of the last import. */
  readonly imported: ImportedValues | null;
  readonly artworkId: string | null;
  readonly audio: KnownAudio | null;
  readonly credits: readonly KnownCredit[];
  readonly chapters: readonly Chapter[] | null;
  readonly hasTranscript: boolean;
}

interface KnownAudio {
  /** A copy of the audio is stored here. */
  readonly isCopy: boolean;
  readonly sourceUrl: string | null;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
}

export interface KnownCredit {
  readonly personId: string;
  readonly hasPhoto: boolean;
  readonly name: string;
  readonly role: string;
  readonly group: string;
}

/** A feed has no say in the others; the number is read apart. */
const knownFields = [...Object.keys(episodeFields), 'guidIsPermalink', 'extraElements'].filter(
  (field) => !['slug', 'shareTranscriptWithCohosts', 'episodeNumber'].includes(field),
);

interface KnownItemRow extends Omit<KnownItem, 'fields' | 'source'> {
  readonly episode: Omit<KnownItem['fields'], 'episodeNumber'>;
  readonly number: number | null;
  readonly source: KnownItem['source'];
}

/** Those of the ids that are episodes of any podcast; by the primary key. */
export async function selectKnownEpisodeIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from episodes where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** One round trip, by the primary keys. */
export async function selectKnownItem(db: Db, episodeId: string): Promise<KnownItem | undefined> {
  const { rows } = await sql<KnownItemRow>`
    select e.id as "episodeId", e.created_at as "createdAt", e.status, e.published_at as "publishedAt",
      e.intended_published_at as "intendedPublishedAt", e.scheduled_for as "scheduledFor", e.artwork_id as "artworkId", e.imported,
      ${columnObject('e', knownFields)} as episode, case when e.number_given then e.episode_number end as number,
      jsonb_build_object('key', e.source_key, 'guid', e.source_guid, 'enclosureUrl', e.source_enclosure_url,
        'guidSha256', e.source_guid_sha256, 'enclosureSha256', e.source_enclosure_sha256) as source,
      case when a.episode_id is not null then jsonb_build_object(
        'isCopy', a.blob_key is not null, 'sourceUrl', a.source_url,
        'sizeBytes', a.size_bytes, 'durationMs', a.duration_ms) end as audio,
      coalesce((select jsonb_agg(jsonb_build_object('personId', p.id, 'name', p.name,
          'hasPhoto', p.photo_id is not null, 'role', c.role, 'group', c."group") order by c.position, c.id)
        from episode_credits c join people p on p.id = c.person_id
        where c.episode_id = e.id), '[]') as credits,
      (select chapters from chapters where episode_id = e.id) as chapters,
      exists (select from transcripts where episode_id = e.id) as "hasTranscript"
    from episodes e left join audio_files a on a.episode_id = e.id
    where e.id = ${episodeId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { episode: fields, number, ...known } = row;
  return { ...known, fields: number === null ? fields : { ...fields, episodeNumber: number } };
}
