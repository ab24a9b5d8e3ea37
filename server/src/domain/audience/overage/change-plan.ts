import { getUserByEmail, setPlan } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { requireOperator } from '../../foundation/principal.ts';
import { endOverageSuspension } from '../../publishing/podcasts/index.ts';
import { monthOf } from './month.ts';
import {
  lockOverages,
  selectDueAccounts,
  selectEndedSuspensions,
  upsertOverage,
} from './overage.sql.ts';

/**
 * Changes the plan of a user's account, effective with the next request. If the new one includes the
 * downloads of this month, it ends the account's suspension for overage with it.
 */
export async function changePlan(
  ctx: Context,
  input: Parameters<typeof setPlan>[1],
): Promise<void> {
  requireOperator(ctx);
  await transact(ctx, async (tx) => {
    await lockOverages(tx.db);
    await setPlan(tx, input);
    const { accountId } = await getUserByEmail(tx, input.email);
    const month = monthOf(tx.clock.now());
    const wanted = { limit: 1, suspendsBefore: undefined, accountId };
    const [account] = await selectDueAccounts(tx.db, month, wanted);
    if (account?.isReached === false) {
      const toldNearAt = account.isNear ? account.toldNearAt : null;
      await upsertOverage(tx.db, month, {
        ...{ accountId, toldNearAt, exceededAt: null, warnedAt: null, suspendedAt: null },
      });
    }
    for (const podcastId of await selectEndedSuspensions(tx.db, month, accountId))
      await endOverageSuspension(tx, podcastId);
  });
}
