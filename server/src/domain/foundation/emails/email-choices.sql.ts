import type { Db } from '../database.ts';
import { isEmailOf } from '../is-email-of.sql.ts';

/** By email_choices_pkey. */
export async function selectUnwanted(db: Db, userId: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('email_choices')
    .select('unwanted')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.unwanted ?? [];
}

/** Nothing for an address of nobody. By users_email_key and email_choices_pkey. */
export async function selectUnwantedOfAddress(db: Db, email: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('users')
    .innerJoin('email_choices', 'email_choices.user_id', 'users.id')
    .select('unwanted')
    .where(isEmailOf(email))
    .executeTakeFirst();
  return row?.unwanted ?? [];
}

export async function upsertUnwanted(
  db: Db,
  userId: string,
  unwanted: readonly string[],
  now: Date,
): Promise<void> {
  const choice = { unwanted: [...unwanted], updated_at: now };
  await db
    .insertInto('email_choices')
    .values({ user_id: userId, ...choice })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choice))
    .execute();
}
