import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { invalid } from '../errors.ts';
import { listPodcastIdsOfAccount, updatePlan } from './accounts.sql.ts';
import { getUserByEmail } from './find-user.ts';
import { findPlan, type PlanState, planIds } from './plans.ts';

/** Puts a user's account on a plan; takes effect with the next request. */
export async function setPlan(
  ctx: Context,
  input: { email: string; plan: string; planState: PlanState },
): Promise<void> {
  if (findPlan(input.plan) === undefined) {
    throw invalid('plan', `There is no plan ${input.plan}; there are ${planIds.join(', ')}.`);
  }
  await transact(ctx, async (tx) => {
    const { accountId } = await getUserByEmail(tx, input.email);
    if (!(await updatePlan(tx.db, { accountId, ...input }))) return;
    // The plan decides branding.show_powered_by of every show of the account.
    const podcastIds = await listPodcastIdsOfAccount(tx.db, accountId);
    await announceChange(tx, { kind: 'plan.changed', accountId, podcastIds });
  });
}
