import { findUserOfAccount, getAccount, getPlan, type PlanState } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../emails/index.ts';
import type { ChangeEvent } from '../outbox/index.ts';

const inWords: Readonly<Record<PlanState, string>> = {
  active: 'It is active.',
  lapsed:
    'It has lapsed: your podcasts stay online for listeners, but API keys cannot read  ' +
    'them until you renew the plan.',
};

/** Emails the account's user about the current plan. */
export async function notifyOfPlan(tx: Context, { accountId }: ChangeEvent): Promise<void> {
  if (accountId === null) return;
  const user = await findUserOfAccount(tx, accountId);
  if (user === undefined) return;
  const { plan, planState } = await getAccount(tx, accountId);
  const values = { name: user.name, plan: getPlan(plan).name, state: inWords[planState] };
  await queueEmail(tx, { template: 'plan-changed', to: user.email, values });
}
