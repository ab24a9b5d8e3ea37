import { type Context, transact } from '../context.ts';
import type { PlanState } from '../enumerations.ts';
import { invalid } from '../errors.ts';
import { announceChange } from '../outbox/index.ts';
import { requireOperator } from '../principal.ts';
import { listPodcastIdsOfAccount, updatePlan } from './accounts.sql.ts';
import { getUserByEmail } from './find-user.ts';
import { findPlan, planIds } from './plans.ts';

/** Changes the plan of a user's account, effective with the next request. */
export async function setPlan(
  ctx: Context,
  input: { email: string; plan: string; planState: PlanState },
): Promise<void> {
  requireOperator(ctx);
  if (findPlan(input.plan) === undefined) {
    throw invalid('plan', `Unknown plan ${input.plan}. The plans are ${planIds.join(', ')}.`);
  }
  await transact(ctx, async (tx) => {
    const { accountId } = await getUserByEmail(tx, input.email);
    if (!(await updatePlan(tx.db, { accountId, ...input }))) return;
    // The plan decides branding.show_powered_by of every show of the account.
    const podcastIds = await listPodcastIdsOfAccount(tx.db, accountId);
    await announceChange(tx, { kind: 'plan.changed', accountId, podcastIds });
  });
}
