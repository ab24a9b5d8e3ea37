import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Episode, EpisodeFields, EpisodeSource, EpisodeStatus } from './episode.ts';

const episodeColumns = [
  'id',
  'podcast_id as podcastId',
  'slug',
  'title',
  'subtitle',
  'description',
  'show_notes as showNotes',
  'show_notes_html as showNotesHtml',
  'season',
  'episode_number as episodeNumber',
  'episode_type as episodeType',
  'explicit',
  'link_url as linkUrl',
  'share_transcript_with_cohosts as shareTranscriptWithCohosts',
  'publish_transcript as publishTranscript',
  'status',
  'published_at as publishedAt',
  'scheduled_for as scheduledFor',
  'media_name as mediaName',
  'artwork_id as artworkId',
  'created_at as createdAt',
] as const;

/** The same list the other way round, for writing. */
const columnOf = new Map<string, string>(
  episodeColumns.map((entry) => {
    const [column = entry, field = column] = entry.split(' as ');
    return [field, column];
  }),
);

export async function insertEpisode(
  db: Db,
  episode: Episode,
  origin: { guid: string | undefined; source: EpisodeSource | undefined; now: Date },
): Promise<void> {
  const { source } = origin;
  await db
    .insertInto('episodes')
    .values({
      id: episode.id,
      podcast_id: episode.podcastId,
      slug: episode.slug,
      title: episode.title,
      subtitle: episode.subtitle,
      description: episode.description,
      show_notes: episode.showNotes,
      show_notes_html: episode.showNotesHtml,
      season: episode.season,
      episode_number: episode.episodeNumber,
      episode_type: episode.episodeType,
      explicit: episode.explicit,
      link_url: episode.linkUrl,
      share_transcript_with_cohosts: episode.shareTranscriptWithCohosts,
      publish_transcript: episode.publishTranscript,
      status: episode.status,
      published_at: episode.publishedAt,
      scheduled_for: episode.scheduledFor,
      status_changed_at: origin.now,
      media_name: episode.mediaName,
      guid: origin.guid ?? null,
      source_key: source?.key ?? null,
      source_guid: source?.guid ?? null,
      source_enclosure_url: source?.enclosureUrl ?? null,
      source_guid_sha256: source?.guidSha256 ?? null,
      source_enclosure_sha256: source?.enclosureSha256 ?? null,
      created_at: episode.createdAt,
      updated_at: origin.now,
    })
    .execute();
}

export async function updateEpisodeColumns(
  db: Db,
  episodeId: string,
  fields: Partial<EpisodeFields> & {
    showNotes?: string | null;
    artworkId?: string | null;
    guid?: string | null;
  },
  updatedAt: Date,
): Promise<void> {
  const { guid, ...rest } = fields;
  const columns = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [columnOf.get(field), value]);
  await db
    .updateTable('episodes')
    .set({
      ...Object.fromEntries(columns),
      ...(guid === undefined ? {} : { guid }),
      updated_at: updatedAt,
    })
    .where('id', '=', episodeId)
    .execute();
}

/** Where the item was found may move with the feed; the key it is recognised by never does. */
export async function updateEpisodeSource(
  db: Db,
  episodeId: string,
  source: EpisodeSource,
): Promise<void> {
  await db
    .updateTable('episodes')
    .set({
      source_guid: source.guid,
      source_enclosure_url: source.enclosureUrl,
      source_guid_sha256: source.guidSha256,
      source_enclosure_sha256: source.enclosureSha256,
    })
    .where('id', '=', episodeId)
    .execute();
}

export async function updateEpisodeStatus(
  db: Db,
  episodeId: string,
  state: {
    status: EpisodeStatus;
    publishedAt: Date | null;
    scheduledFor: Date | null;
    now: Date;
  },
): Promise<void> {
  await db
    .updateTable('episodes')
    .set({
      status: state.status,
      published_at: state.publishedAt,
      scheduled_for: state.scheduledFor,
      status_changed_at: state.now,
      updated_at: state.now,
    })
    .where('id', '=', episodeId)
    .execute();
}

const selectEpisodes = (db: Db) =>
  db
    .selectFrom('episodes')
    .select([...episodeColumns, sql<string>`coalesce(guid, id::text)`.as('guid')]);

/** As stored: a due schedule is the reader's to see (`asOf`). By the primary key. */
export function selectEpisode(db: Db, episodeId: string): Promise<Episode | undefined> {
  return selectEpisodes(db).where('id', '=', episodeId).executeTakeFirst();
}

/** The same, holding the row until the transaction ends. */
export function lockEpisode(db: Db, episodeId: string): Promise<Episode | undefined> {
  return selectEpisodes(db).where('id', '=', episodeId).forUpdate().executeTakeFirst();
}

/** By episodes_number: one row of the index. */
export async function selectNextEpisodeNumber(db: Db, podcastId: string): Promise<number> {
  const row = await db
    .selectFrom('episodes')
    .select(sql<number>`coalesce(max(episode_number), 0) + 1`.as('next'))
    .where('podcast_id', '=', podcastId)
    .executeTakeFirstOrThrow();
  return row.next;
}

/**
 * Gives the episode the slug, remembering it among those it had. False when it is, or was,
 * another episode's of the podcast: settled by the primary key.
 */
export async function claimEpisodeSlug(
  db: Db,
  episode: { id: string; podcastId: string; slug: string },
  now: Date,
): Promise<boolean> {
  const claimed = await db
    .insertInto('episode_slugs')
    .values({
      podcast_id: episode.podcastId,
      slug: episode.slug,
      episode_id: episode.id,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['podcast_id', 'slug'])
        .doUpdateSet({ episode_id: episode.id })
        .where('episode_slugs.episode_id', '=', episode.id),
    )
    .returning('slug')
    .executeTakeFirst();
  if (claimed === undefined) return false;
  await db
    .updateTable('episodes')
    .set({ slug: episode.slug })
    .where('id', '=', episode.id)
    .execute();
  return true;
}

export async function deleteEpisodeRow(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('episodes').where('id', '=', episodeId).execute();
}
