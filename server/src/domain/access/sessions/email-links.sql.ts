import { type Db, toRow } from '../../foundation/database.ts';
import { isEmailOf } from '../../foundation/is-email-of.sql.ts';

export interface LinkSubject {
  readonly email: string;
  readonly userId?: string | null;
  readonly returnPath?: string | null;
}

interface Link {
  readonly tokenHash: Buffer;
  readonly purpose: string;
  readonly now: Date;
}

export async function insertLink(
  db: Db,
  link: Omit<Link, 'now'> & {
    readonly subject: LinkSubject;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { subject, ...row } = link;
  await db
    .insertInto('email_links')
    .values(toRow({ ...row, ...subject }))
    .execute();
}

/** By the primary key. */
export function selectLink(db: Db, link: Link): Promise<LinkSubject | undefined> {
  return db
    .selectFrom('email_links')
    .select(['user_id as userId', 'email', 'return_path as returnPath'])
    .where('token_hash', '=', link.tokenHash)
    .where('purpose', '=', link.purpose)
    .where('expires_at', '>', link.now)
    .executeTakeFirst();
}

/** By the primary key; waits for a concurrent delete. */
export function deleteLink(db: Db, link: Link): Promise<LinkSubject | undefined> {
  return db
    .deleteFrom('email_links')
    .where('token_hash', '=', link.tokenHash)
    .where('purpose', '=', link.purpose)
    .where('expires_at', '>', link.now)
    .returning(['user_id as userId', 'email', 'return_path as returnPath'])
    .executeTakeFirst();
}

/** By email_links_of_user. */
export async function deleteLinksOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('email_links').where('user_id', '=', userId).execute();
}

/** By email_links_of_address. */
export async function deleteLinksOfAddress(
  db: Db,
  purpose: 'sign_up' | 'reset_password',
  email: string,
): Promise<void> {
  await db
    .deleteFrom('email_links')
    .where('purpose', '=', purpose)
    .where(isEmailOf(email))
    .execute();
}

/** By email_links_by_end. */
export async function deleteEndedLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('email_links').where('expires_at', '<=', now).execute();
}
