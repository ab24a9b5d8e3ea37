import { overageGraceDays } from '../../../lib/limits.ts';
import { startOfDay } from '../../../lib/utc-day.ts';
import { planNameOf } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { type EmailValue, queueEmail } from '../../foundation/emails/index.ts';
import { requireTrusted } from '../../foundation/principal.ts';
import { tryEach } from '../../foundation/try-each.ts';
import { endOverageSuspension, suspendForOverage } from '../../publishing/podcasts/index.ts';
import { type Month, monthOf } from './month.ts';
import {
  type DueAccount,
  forgetSuspensions,
  lockOverages,
  selectDueAccounts,
  selectEndedSuspensions,
  selectSuspendable,
  upsertOverage,
} from './overage.sql.ts';

const accountsAtOnce = 200;

/**
 * Compares the downloads of this UTC month with the plan of each account. Emails the owner when
 * they reach 80 % and 100 %, and again if they reach it after a larger plan. Where the installation
 * wants it, suspends their shows `overageGraceDays` after it has told them so, and tells them again. Ends
 * suspensions that a new month, a larger plan or lower figures have ended. Several processes may run this at once.
 */
export async function watchOverage(ctx: Context, signal: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  let changed: number;
  do {
    signal.throwIfAborted();
    changed = await transact(ctx, changeDueAccounts);
  } while (changed === accountsAtOnce);
  await endSuspensions(ctx, signal);
}

async function changeDueAccounts(tx: Context): Promise<number> {
  await lockOverages(tx.db);
  const now = tx.clock.now();
  const month = monthOf(now);
  const isOn = tx.installation.overageSuspend;
  const graceEnded = new Date(now.getTime() - graceMs);
  if (!isOn) await forgetSuspensions(tx.db, month, graceEnded);
  const suspendsBefore = isOn ? graceEnded : undefined;
  const warns = findSuspension(tx, month, now) !== undefined;
  const wanted = { limit: accountsAtOnce, warns, suspendsBefore };
  const due = await selectDueAccounts(tx.db, month, wanted);
  for (const account of due) await changeAccount(tx, month, account);
  return due.length;
}

async function changeAccount(tx: Context, month: Month, account: DueAccount): Promise<void> {
  const now = tx.clock.now();
  const { accountId, isNear, isReached } = account;
  let { toldNearAt, exceededAt, warnedAt, suspendedAt } = account;
  if (!isNear) toldNearAt = null;
  if (!isReached) {
    exceededAt = null;
    warnedAt = null;
    suspendedAt = null;
    if (toldNearAt === null && isNear) {
      await notifyOfNearLimit(tx, month, account);
      toldNearAt = now;
    }
  } else {
    toldNearAt ??= now;
    const willWarn =
      warnedAt === null && suspendedAt === null && findSuspension(tx, month, now) !== undefined;
    if (exceededAt === null || willWarn) await notifyOfReachedLimit(tx, month, account);
    exceededAt ??= now;
    if (willWarn) warnedAt = now;
    const isOver = warnedAt !== null && warnedAt.getTime() + graceMs <= now.getTime();
    if (tx.installation.overageSuspend && (isOver || suspendedAt !== null)) {
      suspendedAt ??= now;
      await suspendShows(tx, month, account, suspendedAt);
    }
  }
  const state = { accountId, toldNearAt, exceededAt, warnedAt, suspendedAt };
  await upsertOverage(tx.db, month, state);
}

async function suspendShows(
  tx: Context,
  month: Month,
  account: DueAccount,
  suspendedAt: Date,
): Promise<void> {
  const shows = await selectSuspendable(tx.db, account.accountId, suspendedAt);
  for (const podcastId of shows) await suspendForOverage(tx, podcastId);
  const begins = account.suspendedAt === null;
  if (begins && shows.length > 0) await notifyOfSuspension(tx, month, account);
}

async function endSuspensions(ctx: Context, signal: AbortSignal): Promise<void> {
  const ended = await selectEndedSuspensions(ctx.db, monthOf(ctx.clock.now()));
  const failed = 'the suspension of a show was not ended';
  await tryEach(ctx, ended, { failed, signal }, (podcastId) =>
    endOverageSuspension(ctx, podcastId),
  );
}

/** Emails an account's owner, in the transaction that records the overage. So do all functions here. */
async function notifyOfNearLimit(tx: Context, month: Month, account: DueAccount): Promise<void> {
  const values = describe(month, account);
  const consequence: EmailValue<'sentence'> = findSuspension(tx, month, tx.clock.now())
    ? { sentence: 'nearSuspends', values: { limit: values.limit, days: overageGraceDays } }
    : { sentence: 'nearChangesNothing', values: {} };
  await queueEmail(tx, {
    template: 'overage-near',
    to: account.email,
    values: { ...values, consequence },
  });
}

/** At the moment when the limit is exceeded, and when it begins to have consequences. */
async function notifyOfReachedLimit(tx: Context, month: Month, account: DueAccount): Promise<void> {
  const values = describe(month, account);
  const day = findSuspension(tx, month, tx.clock.now());
  const consequence: EmailValue<'sentence'> = day
    ? { sentence: 'reachedSuspends', values: { day, renews: values.renews } }
    : { sentence: 'reachedChangesNothing', values: {} };
  await queueEmail(tx, {
    template: 'overage-reached',
    to: account.email,
    values: { ...values, consequence },
  });
}

async function notifyOfSuspension(tx: Context, month: Month, account: DueAccount): Promise<void> {
  const duration: EmailValue<'sentence'> = {
    sentence: 'overFor',
    values: { days: overageGraceDays },
  };
  await queueEmail(tx, {
    template: 'overage-suspended',
    to: account.email,
    values: { ...describe(month, account), duration },
  });
}

function describe(month: Month, account: DueAccount) {
  return {
    name: account.ownerName,
    plan: planNameOf(account.plan),
    month: startOfDay(month.first),
    downloads: account.downloads,
    limit: account.monthlyDownloads,
    renews: startOfDay(month.next),
  };
}

const graceMs = overageGraceDays * 86_400_000;

/**
 * When the shows of an account are suspended whose owner is told at this time. Undefined: not in this
 * month, after which the count starts again, or never on this installation.
 */
export function findSuspension(
  { installation }: Context,
  { next }: Month,
  warnedAt: Date,
): Date | undefined {
  const at = new Date(warnedAt.getTime() + graceMs);
  return installation.overageSuspend && at < startOfDay(next) ? at : undefined;
}
