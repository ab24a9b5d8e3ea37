import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { AiTraining, PodcastStatus } from '../../foundation/enumerations.ts';

/** The audio of an episode that is public, with what its address and delivery need. */
export interface PublicAudioFile {
  readonly podcastId: string;
  readonly status: PodcastStatus;
  readonly statusBeforeSuspension: PodcastStatus | null;
  readonly aiTraining: AiTraining;
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

/** A picture of a show, and whether something public shows it. */
export interface PublicImage {
  readonly podcastId: string;
  readonly aiTraining: AiTraining;
  readonly isShown: boolean;
  /** When the show's next episode becomes public, which may show it. */
  readonly nextPublicationAt: Date | null;
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
      'p.ai_training as aiTraining',
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
 * Whether something public shows a picture: the show itself, a public episode, or a person on the roster
 * or credited on one. One round trip; by images_pkey, then the indexes on picture columns. A person may
 * be credited on 100,000 drafts, which are all read.
 */
export async function selectShownImage(
  db: Db,
  imageId: string,
  now: Date,
): Promise<PublicImage | undefined> {
  const { rows } = await sql<PublicImage>`
    select p.id as "podcastId", p.ai_training as "aiTraining", p.status, p.status_before_suspension as "statusBeforeSuspension",
      i.content_type as "contentType", i.sha256,
      (select min(e.public_from) from episodes e
        where e.podcast_id = p.id and e.public_from > ${now}) as "nextPublicationAt",
      i.id in (p.artwork_id, p.header_image_id)
      or exists (select from episodes e where e.artwork_id = i.id and e.public_from <= ${now})
      or exists (select from people person where person.photo_id = i.id and person.roster)
      or exists (select from people person
        join episode_credits credit on credit.person_id = person.id
        join episodes e on e.id = credit.episode_id
        where person.photo_id = i.id and e.public_from <= ${now}) as "isShown"
    from images i join podcasts p on p.id = i.podcast_id
    where i.id = ${imageId}`.execute(db);
  return rows[0];
}
