import { type SqlBool, sql } from 'kysely';
import { type Db, toRow } from '../database.ts';
import type { PlanState } from '../enumerations.ts';
import { isEmailOf } from '../is-email-of.sql.ts';
import type { Account, ListedUser, User, UserPosition } from './user.ts';

export async function insertAccount(
  db: Db,
  account: { id: string; plan: string; planState: PlanState; createdAt: Date },
): Promise<void> {
  await db.insertInto('accounts').values(toRow(account)).execute();
}

export async function insertUser(
  db: Db,
  user: User & { passwordHash: string; acceptedTerms: string | undefined; createdAt: Date },
): Promise<void> {
  await db.insertInto('users').values(toRow(user)).execute();
}

const userColumns = ['id', 'account_id as accountId', 'email', 'name'] as const;

/** By users_email. */
export function selectUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where(isEmailOf(email)).executeTakeFirst();
}

/** By users_email. */
export function selectCredentials(
  db: Db,
  email: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where(isEmailOf(email))
    .executeTakeFirst();
}

/** By the primary key. */
export function selectUser(db: Db, userId: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', userId).executeTakeFirst();
}

/** By users_in_order; oldest first. */
export function selectUserList(
  db: Db,
  { after, limit }: { readonly after?: UserPosition | undefined; readonly limit: number },
): Promise<Omit<ListedUser, 'includedBytes'>[]> {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'accounts.plan',
      'accounts.plan_state as planState',
      'users.created_at as createdAt',
      sql<number>`(select coalesce(sum(s.audio_bytes + s.image_bytes), 0)::bigint
        from podcasts p join podcast_storage s on s.podcast_id = p.id
        where p.account_id = accounts.id)`.as('storedBytes'),
    ])
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(users.created_at, users.id) > (${after?.createdAt}, ${after?.id})`),
    )
    .orderBy('users.created_at')
    .orderBy('users.id')
    .limit(limit)
    .execute();
}

/** By users_account_id_key. */
export function selectUserOfAccount(db: Db, accountId: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** By the primary key. */
export async function selectPasswordHash(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.passwordHash;
}

/**
 * Locks the row until the transaction ends, which serializes changes of a user's password and keys.
 */
export function selectUserForUpdate(
  db: Db,
  userId: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateUser(
  db: Db,
  userId: string,
  fields: {
    readonly email?: string;
    readonly name?: string;
    readonly passwordHash?: string;
    readonly acceptedTerms?: string;
  },
): Promise<void> {
  await db.updateTable('users').set(toRow(fields)).where('id', '=', userId).execute();
}

/** By the primary key. */
export function selectAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'plan', 'plan_state as planState'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** By users_pkey. */
export function selectAccountOfUser(db: Db, userId: string): Promise<Account | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['a.id', 'a.plan', 'a.plan_state as planState'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
}

/** Returns whether it changed anything. */
export async function updatePlan(
  db: Db,
  input: { accountId: string; plan: string; planState: PlanState },
): Promise<boolean> {
  const updated = await db
    .updateTable('accounts')
    .set({ plan: input.plan, plan_state: input.planState })
    .where('id', '=', input.accountId)
    .where(({ eb, or }) =>
      or([eb('plan', '<>', input.plan), eb('plan_state', '<>', input.planState)]),
    )
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** By podcasts_of_account. */
export async function listPodcastIdsOfAccount(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('podcasts')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => row.id);
}

/** Reads one row. */
export async function selectAnyUser(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}
