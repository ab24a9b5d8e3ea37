import { announceChange, type Context, transact } from '../context.ts';
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
    const user = await getUserByEmail(tx, input.email);
    await updatePlan(tx.db, { accountId: user.accountId, ...input });
    // The plan decides branding.show_powered_by of every show of the account.
    for (const podcastId of await listPodcastIdsOfAccount(tx.db, user.accountId)) {
      await announceChange(tx, podcastId);
    }
  });
}
