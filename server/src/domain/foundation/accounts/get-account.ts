import type { Context } from '../context.ts';
import { requireFound } from '../errors.ts';
import { requireUser } from '../principal.ts';
import { selectAccount, selectAccountOfUser } from './accounts.sql.ts';
import type { Account } from './user.ts';

/** Of the user who is signed in. */
export async function getOwnAccount(ctx: Context): Promise<Account> {
  return requireFound(await selectAccountOfUser(ctx.db, requireUser(ctx)), 'account');
}

export async function getAccount(ctx: Context, accountId: string): Promise<Account> {
  return requireFound(await selectAccount(ctx.db, accountId), 'account');
}
