import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { requireUser } from '../principal.ts';
import { selectAccount, selectAccountOfUser } from './accounts.sql.ts';
import type { Account } from './user.ts';

/** Of the user who is signed in. */
export async function getOwnAccount(ctx: Context): Promise<Account> {
  const account = await selectAccountOfUser(ctx.db, requireUser(ctx));
  if (account === undefined) throw notFound('account');
  return account;
}

export async function getAccount(ctx: Context, accountId: string): Promise<Account> {
  const account = await selectAccount(ctx.db, accountId);
  if (account === undefined) throw notFound('account');
  return account;
}
