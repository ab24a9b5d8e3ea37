import { sql } from 'kysely';
import { plannedEachTime } from '../../platform/database/statement-names.ts';
import type { Db } from '../database.ts';
import { downloadsOfMonth, type Month } from '../overage/index.ts';

export interface Usage {
  readonly shows: number;
  readonly episodes: number;
  readonly audioBytes: number;
  readonly imageBytes: number;
  /** In the month, of all shows. */
  readonly downloads: number;
}

/**
 * What an account holds and uses: of one show or of ten thousand. One statement: by podcasts_of_account, then for each show by
 * episodes_listed, images_podcast_id_sha256_key and podcast_download_months_pkey.
 */
export async function selectUsage(db: Db, accountId: string, month: Month): Promise<Usage> {
  const { rows } = await sql<Usage>`${sql.raw(plannedEachTime)}
    with owned as materialized (select id from podcasts where account_id = ${accountId})
    select (select count(*) from owned) as shows, held.episodes, held.bytes as "audioBytes",
      (select coalesce(sum(i.size_bytes), 0)::bigint
        from owned join images i on i.podcast_id = owned.id) as "imageBytes",
      (select coalesce(sum(${downloadsOfMonth(month)}), 0)::bigint from owned p) as downloads
    from (select count(e.id) as episodes,
        coalesce(sum(a.size_bytes) filter (where a.blob_key is not null), 0)::bigint as bytes
      from owned join episodes e on e.podcast_id = owned.id
      left join audio_files a on a.episode_id = e.id) held`.execute(db);
  const [row] = rows;
  return row ?? { shows: 0, episodes: 0, audioBytes: 0, imageBytes: 0, downloads: 0 };
}

/** By podcasts_of_account. */
export function selectOwnedShows(
  db: Db,
  accountId: string,
): Promise<{ id: string; title: string }[]> {
  return db
    .selectFrom('podcasts')
    .select(['id', 'title'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** By podcast_members_of_user. */
export async function selectMemberships(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('podcast_members')
    .select('podcast_id')
    .where('user_id', '=', userId)
    .orderBy('podcast_id')
    .execute();
  return rows.map((row) => row.podcast_id);
}

/** Sessions, keys, sites, imports, uploads and memberships go with the user. */
export async function deleteUser(db: Db, userId: string, accountId: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute();
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
}
