import { getPlan, planNameOf } from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { queueEmail } from '../emails/index.ts';
import { defineJob } from '../job.ts';
import { requireTrusted } from '../principal.ts';
import { type NearAccount, selectChangedAccounts, updateNotified } from './storage.sql.ts';
import { nearShare } from './storage.ts';

export const watchStorageJob = defineJob({
  name: 'watch-storage',
  timeoutSeconds: 5 * 60,
  run: (ctx, _payload, { signal }) => watchStorage(ctx, signal),
});

const accountsAtOnce = 200;
/** An owner who deletes and adds a file at the limit gets one email, not one for each. */
const doneShare = 0.85;

/**
 * Emails owners when their podcasts use 90 % of the storage of their plan: once, until they use less than
 * 85 % or have a larger plan. Several processes may run this at once.
 */
export async function watchStorage(ctx: Context, signal?: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  let changed: number;
  do {
    signal?.throwIfAborted();
    changed = await transact(ctx, changeAccounts);
  } while (changed === accountsAtOnce);
}

async function changeAccounts(tx: Context): Promise<number> {
  const query = { nearShare, doneShare, limit: accountsAtOnce };
  const accounts = await selectChangedAccounts(tx.db, query);
  for (const account of accounts) {
    await updateNotified(tx.db, account.accountId, account.isNear ? tx.clock.now() : null);
    if (account.isNear) await notifyOwner(tx, account);
  }
  return accounts.length;
}

async function notifyOwner(tx: Context, account: NearAccount): Promise<void> {
  const { storageBytes = 0 } = getPlan(account.plan);
  await queueEmail(tx, {
    template: 'storage-near',
    to: account.email,
    values: {
      name: account.ownerName,
      plan: planNameOf(account.plan),
      used: account.usedBytes,
      included: storageBytes,
    },
  });
}
