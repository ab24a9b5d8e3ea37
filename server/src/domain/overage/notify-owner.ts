import { startOfDay } from '../../lib/utc-day.ts';
import { planNameOf } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../emails/index.ts';
import type { Month } from './month.ts';
import type { DueAccount } from './overage.sql.ts';

/** Emails an account's owner, in the transaction that records the overage. */
export async function notifyOwner(
  tx: Context,
  template: 'overage-near' | 'overage-suspended',
  month: Month,
  account: DueAccount,
): Promise<void> {
  await queueEmail(tx, { template, to: account.email, values: describe(month, account) });
}

/** The same when the limit is reached. `suspendsAt`: when the shows are suspended if nothing changes. */
export async function notifyOfReachedLimit(
  tx: Context,
  month: Month,
  account: DueAccount,
  suspendsAt: Date,
): Promise<void> {
  const next = startOfDay(month.next);
  const isSuspended = tx.installation.overageSuspend && suspendsAt < next;
  const consequence = isSuspended
    ? `On ${formatDay(suspendsAt)} your podcasts will be suspended: listeners then cannot open ` +
      'their pages or play their episodes. Feeds stay, so you lose no subscribers. The suspension ' +
      `ends with a larger plan, or on ${formatDay(next)}.`
    : 'Nothing changes for your listeners.';
  await queueEmail(tx, {
    template: 'overage-reached',
    to: account.email,
    values: { ...describe(month, account), consequence },
  });
}

function describe(month: Month, account: DueAccount) {
  return {
    name: account.ownerName,
    plan: planNameOf(account.plan),
    month: monthFormat.format(startOfDay(month.first)),
    downloads: account.downloads.toLocaleString('en'),
    limit: account.monthlyDownloads.toLocaleString('en'),
    renews: formatDay(startOfDay(month.next)),
  };
}

const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const formatDay = (date: Date): string => dayFormat.format(date);
