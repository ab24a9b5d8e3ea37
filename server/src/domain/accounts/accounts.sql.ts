import type { Db } from '../database.ts';
import { isEmailOf } from '../is-email-of.sql.ts';
import type { Account } from './get-account.ts';
import type { PlanState } from './plans.ts';
import type { User } from './user.ts';

export async function insertAccount(
  db: Db,
  account: { id: string; plan: string; planState: PlanState; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('accounts')
    .values({
      id: account.id,
      plan: account.plan,
      plan_state: account.planState,
      created_at: account.createdAt,
    })
    .execute();
}

export async function insertUser(
  db: Db,
  user: User & { passwordHash: string; acceptedTerms: string | undefined; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      account_id: user.accountId,
      email: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      accepted_terms: user.acceptedTerms ?? null,
      created_at: user.createdAt,
    })
    .execute();
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

/** Holds the row until the transaction ends: changes of one user's password and keys queue here. */
export function lockUser(
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
  const { passwordHash, acceptedTerms, ...same } = fields;
  await db
    .updateTable('users')
    .set({
      ...same,
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(acceptedTerms === undefined ? {} : { accepted_terms: acceptedTerms }),
    })
    .where('id', '=', userId)
    .execute();
}

/** By the primary key. */
export function selectAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'plan', 'plan_state as planState'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** Whether that changes anything. */
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
