import { keyReminderDays } from '../../../lib/limits.ts';
import { appUrl } from '../../foundation/addresses.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { defineJob } from '../../foundation/job.ts';
import { type ExpiringKey, takeExpiringKeys } from './keys.sql.ts';

/** Reminds users of keys that expire within a week. */
export const remindOfExpiryJob = defineJob({
  name: 'remind-of-expiry',
  timeoutSeconds: 60,
  run: (ctx, _payload, { signal }) => remindOfExpiry(ctx, signal),
});

const remindedBeforeMs = keyReminderDays * 86_400_000;
const batchSize = 100;

/**
 * Emails the users of keys that expire within seven days, once for each secret: a rolled key has a
 * new one. Several processes may run this at once.
 */
export async function remindOfExpiry(ctx: Context, signal: AbortSignal): Promise<void> {
  const after = ctx.clock.now();
  const until = new Date(after.getTime() + remindedBeforeMs);
  let notified: number;
  do {
    signal.throwIfAborted();
    notified = await transact(ctx, async (tx) => {
      const keys = await takeExpiringKeys(tx.db, { after, until }, batchSize);
      for (const key of keys) await notifyOfExpiry(tx, key);
      return keys.length;
    });
  } while (notified === batchSize);
}

async function notifyOfExpiry(tx: Context, key: ExpiringKey): Promise<void> {
  const { userName: name, email: to, siteUrl: address, expiresAt: expires } = key;
  if (address !== null) {
    const values = { name, address, expires, link: appUrl(tx.installation, 'sites') };
    await queueEmail(tx, { template: 'site-expires', to, values });
    return;
  }
  const link = appUrl(tx.installation, 'keys');
  const values = { name, key: key.name, lastFour: key.lastFour, expires, link };
  await queueEmail(tx, { template: 'key-expires', to, values });
}
