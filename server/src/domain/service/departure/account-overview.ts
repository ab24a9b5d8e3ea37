import { monthOf, type Overage, readOverage } from '../../audience/overage/index.ts';
import { getOwnAccount, getPlan, type Plan } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { PlanState } from '../../foundation/enumerations.ts';
import { readStorage, type Storage } from '../../foundation/storage/index.ts';
import { type BackupAge, readBackupAge } from '../backups/index.ts';
import { selectUsage, type Usage } from './departure.sql.ts';

/** The plan of the signed-in user, and what they use of it. */
export interface AccountOverview {
  readonly plan: Plan;
  readonly planState: PlanState;
  /** Its first day, UTC. */
  readonly month: string;
  readonly usage: Usage;
  readonly storage: Storage;
  /** Undefined below 80 % of the downloads of the plan. */
  readonly overage: Overage | undefined;
  /** Of the installation; undefined: the user is not its operator. */
  readonly backup: BackupAge | undefined;
}

export async function readAccountOverview(ctx: Context): Promise<AccountOverview> {
  const { id, plan, planState } = await getOwnAccount(ctx);
  const month = monthOf(ctx.clock.now());
  const usage = await selectUsage(ctx.db, id, month);
  const overage = await readOverage(ctx, { id, plan, downloads: usage.downloads });
  const storage = await readStorage(ctx, { id, plan });
  const backup = await readBackupAge(ctx);
  return { plan: getPlan(plan), planState, month: month.first, usage, storage, overage, backup };
}
