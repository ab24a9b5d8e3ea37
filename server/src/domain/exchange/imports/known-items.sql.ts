import { sql } from 'kysely';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import { columnObject, type Db } from '../../foundation/database.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { EpisodeFields, EpisodeSource } from '../../publishing/episodes/index.ts';
import type { Chapter } from '../../publishing/transcripts/index.ts';
import type { ImportedValues } from './imported-values.ts';

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

export interface KnownAudio {
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
