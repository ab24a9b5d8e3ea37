import { sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { SiteAddresses } from './site.ts';

/** A connection that its user has approved. */
export interface ApprovedConnection extends SiteAddresses {
  readonly userId: string;
  readonly podcastIds: readonly string[];
  readonly transcripts: boolean;
  readonly codeChallenge: string;
  /** A tag of the user's password at the approval. */
  readonly passwordTag: Buffer;
}

export async function insertCode(
  db: Db,
  code: ApprovedConnection & { readonly hash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await db.insertInto('site_codes').values(toRow(code)).execute();
}

/** Uses a code up; the second of two concurrent calls finds nothing. By the primary key. */
export async function deleteCode(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<ApprovedConnection | undefined> {
  const { rows } = await sql<ApprovedConnection & { readonly isLive: boolean }>`
    delete from site_codes where hash = ${hash}
    returning user_id as "userId", site_url as "siteUrl", rest_root as "restRoot",
      admin_url as "adminUrl", site_name as "siteName", podcast_ids as "podcastIds", transcripts,
      code_challenge as "codeChallenge", password_tag as "passwordTag",
      expires_at > ${now} as "isLive"`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { isLive, ...connection } = row;
  return isLive ? connection : undefined;
}

/** Deletes a user's codes except the newest `keep`. By site_codes_of_user. */
export async function deleteSurplusCodes(db: Db, userId: string, keep: number): Promise<void> {
  await sql`delete from site_codes where hash in (
    select hash from site_codes where user_id = ${userId}
    order by expires_at desc offset ${keep})`.execute(db);
}

/** By site_codes_expired. */
export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('site_codes').where('expires_at', '<=', now).execute();
}
