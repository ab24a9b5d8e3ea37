import { sql } from 'kysely';
import { plannedEachTime } from '../../../platform/database/statement-names.ts';
import { downloadsOfMonth, type Month } from '../../audience/overage/index.ts';
import type { Db } from '../../foundation/database.ts';

export interface Usage {
  readonly shows: number;
  readonly episodes: number;
  /** In the month, of all shows. */
  readonly downloads: number;
}

/**
 * What an account has and uses: of one show or of ten thousand. One statement: by podcasts_of_account,
 * then for each show by episodes_listed and podcast_download_months_pkey.
 */
export async function selectUsage(db: Db, accountId: string, month: Month): Promise<Usage> {
  const { rows } = await sql<Usage>`${sql.raw(plannedEachTime)}
    select count(*) as shows, coalesce(sum(
        (select count(*) from episodes e where e.podcast_id = p.id)), 0)::bigint as episodes,
      coalesce(sum(${downloadsOfMonth(month)}), 0)::bigint as downloads
    from podcasts p where p.account_id = ${accountId}`.execute(db);
  return rows[0] ?? { shows: 0, episodes: 0, downloads: 0 };
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
