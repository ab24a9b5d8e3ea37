import { sql } from 'kysely';
import { isUuid } from '../../lib/uuid.ts';
import type { Db } from '../database.ts';
import type { EpisodeFields, EpisodeSource, EpisodeStatus } from '../episodes/index.ts';
import type { Chapter } from '../transcripts/index.ts';

/** What an import compares an item with: the episode it made of it, or one with the same GUID. */
export interface KnownItem {
  readonly episodeId: string;
  readonly createdAt: Date;
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly fields: Omit<EpisodeFields, 'slug' | 'shareTranscriptWithCohosts'>;
  readonly source: Omit<EpisodeSource, 'key'>;
  readonly artworkId: string | null;
  readonly audio: KnownAudio | null;
  readonly credits: readonly KnownCredit[];
  readonly chapters: readonly Chapter[] | null;
  readonly hasTranscript: boolean;
}

export interface KnownAudio {
  /** A copy of ours is in place. */
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

interface KnownItemRow extends Omit<KnownItem, 'fields' | 'source'> {
  readonly episode: Omit<KnownItem['fields'], 'episodeNumber'> & { readonly number: number };
  readonly source: KnownItem['source'];
}

/**
 * One round trip, by episodes_source_key, episodes_guid and the primary keys. The GUID finds a
 * show's own episodes again when its feed comes back from elsewhere.
 */
export async function selectKnownItem(
  db: Db,
  podcastId: string,
  item: { readonly key: string; readonly guid: string | null },
): Promise<KnownItem | undefined> {
  const id = item.guid !== null && isUuid(item.guid) ? item.guid : null;
  const { rows } = await sql<KnownItemRow>`
    select e.id as "episodeId", e.created_at as "createdAt", e.status, e.published_at as "publishedAt",
      e.scheduled_for as "scheduledFor", e.artwork_id as "artworkId",
      jsonb_build_object('title', e.title, 'subtitle', e.subtitle, 'description', e.description,
        'showNotesHtml', e.show_notes_html, 'season', e.season, 'number', e.episode_number,
        'episodeType', e.episode_type, 'explicit', e.explicit, 'linkUrl', e.link_url,
        'publishTranscript', e.publish_transcript) as episode,
      jsonb_build_object('guid', e.source_guid, 'enclosureUrl', e.source_enclosure_url,
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
    where e.podcast_id = ${podcastId}
      and (e.source_key = ${item.key} or e.guid = ${item.guid} or e.id = ${id}::uuid)
    order by (e.source_key is not distinct from ${item.key}) desc
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { episode, ...known } = row;
  const { number, ...fields } = episode;
  return { ...known, fields: { ...fields, episodeNumber: number } };
}
