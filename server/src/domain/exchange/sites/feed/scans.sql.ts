import { sql } from 'kysely';
import { nilId } from '../../../../lib/uuid.ts';
import type { Db } from '../../../foundation/database.ts';
import { isSeenBy } from '../../../foundation/permissions/index.ts';
import type { ScanPosition } from './followed-show.ts';

/** Before the first episode. */
export const scanStart: ScanPosition = {
  time: '-infinity',
  id: nilId,
};

/** The next episodes that were public at `asOf`, the oldest publication first. By episodes_public. */
export async function selectScan(
  db: Db,
  podcastId: string,
  span: { readonly after: ScanPosition; readonly asOf: string },
  limit: number,
): Promise<ScanPosition[]> {
  const { after, asOf } = span;
  const { rows } = await sql<ScanPosition>`
    select id, public_from::text as time from episodes
    where podcast_id = ${podcastId} and public_from <= ${asOf}::timestamptz
      and (public_from, id) > (${after.time}::timestamptz, ${after.id}::uuid)
    order by public_from, id limit ${limit}`.execute(db);
  return rows;
}

interface Ending {
  readonly siteId: string;
  readonly podcastId: string;
  readonly asOf: string;
  readonly creditedUserId: string | undefined;
}

/**
 * Episodes that the site has and that were not public at `asOf`, and unpublished ones that were
 * deleted or hidden since. By site_changes_of_podcast and episodes_pkey.
 */
export async function selectEnded(db: Db, of: Ending, limit: number): Promise<string[]> {
  const { siteId, podcastId, asOf, creditedUserId } = of;
  const { rows } = await sql<{ id: string }>`
    select sent.episode_id as id from site_changes sent
    left join episodes e on e.id = sent.episode_id and e.podcast_id = sent.podcast_id
    where sent.site_id = ${siteId} and sent.podcast_id = ${podcastId}
      and (sent.content_hash is not null or sent.reason = 'unpublished')
      and (e.id is null
        or sent.content_hash is not null
          and not coalesce(e.public_from <= ${asOf}::timestamptz, false)
        or sent.content_hash is null and not ${isSeenBy(creditedUserId)})
    order by sent.seq limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A hash of all people of a podcast, as its episodes show them. By people_of_podcast. */
export async function selectPeopleHash(db: Db, podcastId: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5(coalesce(string_agg(row(person.id, person.user_id, person.name, person.photo_id,
      photo.content_type)::text, '' order by person.id), '')) as hash
    from people person left join images photo on photo.id = person.photo_id
    where person.podcast_id = ${podcastId}`.execute(db);
  return rows[0]?.hash ?? '';
}
