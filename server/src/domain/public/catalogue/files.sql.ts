import type { Db } from '../../foundation/database.ts';
import type { PodcastStatus } from '../../foundation/enumerations.ts';

/** The audio of an episode that is public, with what its address and delivery need. */
export interface PublicAudioFile {
  readonly podcastId: string;
  readonly status: PodcastStatus;
  readonly statusBeforeSuspension: PodcastStatus | null;
  /** The file name of its address, without extension. */
  readonly mediaName: string;
  readonly extension: string;
  readonly contentType: string;
  /** Null if we hold no copy; the audio is then at `sourceUrl`. */
  readonly copy: AudioCopy | null;
  readonly sourceUrl: string | null;
  readonly updatedAt: Date;
}

/** Our copy; the constraints of `audio_files` guarantee that no field is missing. */
interface AudioCopy {
  readonly blobKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Average over the audio bytes alone. */
  readonly bitrateBps: number;
  /** The length of the data before the first audio byte. */
  readonly leadingTagBytes: number;
}

export interface PublicImage {
  readonly status: PodcastStatus;
  readonly statusBeforeSuspension: PodcastStatus | null;
  readonly contentType: string;
  readonly sha256: string;
}

/** One round trip, by primary keys. */
export async function selectPublicAudio(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<PublicAudioFile | undefined> {
  const row = await db
    .selectFrom('episodes as e')
    .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
    .innerJoin('audio_files as a', 'a.episode_id', 'e.id')
    .select([
      'p.id as podcastId',
      'p.status',
      'p.status_before_suspension as statusBeforeSuspension',
      'e.media_name as mediaName',
      'a.extension',
      'a.content_type as contentType',
      'a.blob_key as blobKey',
      'a.source_url as sourceUrl',
      'a.size_bytes as sizeBytes',
      'a.duration_ms as durationMs',
      'a.sha256',
      'a.bitrate_bps as bitrateBps',
      'a.leading_tag_bytes as leadingTagBytes',
      'a.updated_at as updatedAt',
    ])
    .where('e.id', '=', episodeId)
    .where('e.public_from', '<=', now)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { blobKey, sha256, sizeBytes, durationMs, bitrateBps, leadingTagBytes, ...rest } = row;
  const copy = { blobKey, sha256, sizeBytes, durationMs, bitrateBps, leadingTagBytes };
  return { ...rest, copy: blobKey === null ? null : (copy as AudioCopy) };
}

/**
 * A picture that something public shows: the show itself, a public episode, or a person on the
 * roster or credited on one. One round trip; by images_pkey, then the indexes on picture columns.
 */
export function selectPublicImage(
  db: Db,
  imageId: string,
  now: Date,
): Promise<PublicImage | undefined> {
  return db
    .selectFrom('images as i')
    .innerJoin('podcasts as p', 'p.id', 'i.podcast_id')
    .select([
      'p.status',
      'p.status_before_suspension as statusBeforeSuspension',
      'i.content_type as contentType',
      'i.sha256',
    ])
    .where('i.id', '=', imageId)
    .where((where) =>
      where.or([
        where('p.artwork_id', '=', where.ref('i.id')),
        where.exists(
          where
            .selectFrom('episodes as e')
            .select('e.id')
            .whereRef('e.artwork_id', '=', 'i.id')
            .where('e.public_from', '<=', now),
        ),
        where.exists(
          where
            .selectFrom('people as person')
            .select('person.id')
            .whereRef('person.photo_id', '=', 'i.id')
            .where('person.roster', '=', true),
        ),
        where.exists(
          where
            .selectFrom('people as person')
            .innerJoin('episode_credits as credit', 'credit.person_id', 'person.id')
            .innerJoin('episodes as e', 'e.id', 'credit.episode_id')
            .select('person.id')
            .whereRef('person.photo_id', '=', 'i.id')
            .where('e.public_from', '<=', now),
        ),
      ]),
    )
    .executeTakeFirst();
}
