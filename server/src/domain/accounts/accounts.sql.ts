import { sql } from 'kysely';
import type { Db } from '../database.ts';
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

/** By users_email. */
export function selectUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'account_id as accountId', 'email', 'name'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export async function updatePlan(
  db: Db,
  input: { accountId: string; plan: string; planState: PlanState },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ plan: input.plan, plan_state: input.planState })
    .where('id', '=', input.accountId)
    .execute();
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
