import { startOfDay } from '../../../lib/utc-day.ts';
import { planNameOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { findSuspension } from './find-suspension.ts';
import type { Month } from './month.ts';
import type { DueAccount } from './overage.sql.ts';

const suspension =
  'listeners then cannot open their pages or play their episodes. Feeds stay, so you lose no subscribers.';

/** Emails an account's owner, in the transaction that records the overage. So do all functions here. */
export async function notifyOfNearLimit(
  tx: Context,
  month: Month,
  account: DueAccount,
): Promise<void> {
  const values = describe(month, account);
  const consequence = findSuspension(tx, month, tx.clock.now())
    ? `If they reach ${values.limit}, your podcasts will be suspended seven days later: ${suspension}`
    : 'You do not have to do anything.';
  await queueEmail(tx, {
    template: 'overage-near',
    to: account.email,
    values: { ...values, consequence },
  });
}

/** At the moment when the limit is exceeded. */
export async function notifyOfReachedLimit(
  tx: Context,
  month: Month,
  account: DueAccount,
): Promise<void> {
  const values = describe(month, account);
  const at = findSuspension(tx, month, tx.clock.now());
  const consequence = at
    ? `On ${formatDay(at)} your podcasts will be suspended: ${suspension} The suspension ends with a ` +
      `larger plan, or on ${values.renews}.`
    : 'Nothing changes for your listeners.';
  await queueEmail(tx, {
    template: 'overage-reached',
    to: account.email,
    values: { ...values, consequence },
  });
}

export async function notifyOfSuspension(
  tx: Context,
  month: Month,
  account: DueAccount,
): Promise<void> {
  const values = describe(month, account);
  await queueEmail(tx, { template: 'overage-suspended', to: account.email, values });
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
