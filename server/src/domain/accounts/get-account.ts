import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { selectAccount } from './accounts.sql.ts';
import type { PlanState } from './plans.ts';

/** What hangs on an account and not on the person. */
export interface Account {
  readonly id: string;
  readonly plan: string;
  readonly planState: PlanState;
}

export async function getAccount(ctx: Context, accountId: string): Promise<Account> {
  const account = await selectAccount(ctx.db, accountId);
  if (account === undefined) throw notFound('account');
  return account;
}
