import { findUserOfAccount, getAccount, getPlan, type PlanState } from '../accounts/index.ts';
import type { ChangeEvent } from '../changes/index.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../letters/index.ts';

const inWords: Readonly<Record<PlanState, string>> = {
  active: 'It is active.',
  lapsed:
    'It has lapsed: your podcasts stay as they are for everybody who listens, but no API key reads ' +
    'them until the plan is renewed.',
};

/** To the account's user, of the plan as it is now. */
export async function tellOfPlan(tx: Context, { accountId }: ChangeEvent): Promise<void> {
  if (accountId === null) return;
  const user = await findUserOfAccount(tx, accountId);
  if (user === undefined) return;
  const { plan, planState } = await getAccount(tx, accountId);
  const values = { name: user.name, plan: getPlan(plan).name, state: inWords[planState] };
  await queueLetter(tx, { template: 'plan-changed', to: user.email, values });
}
