import { type Context, transact } from '../../foundation/context.ts';
import { type EmailValue, queueEmail } from '../../foundation/emails/index.ts';
import { requireTrusted } from '../../foundation/principal.ts';
import type { CreatedBackup } from './create-backup.ts';

const namedInEmail = 5;

/**
 * Emails the operator that a backup found files missing from the file store, at most once a day (BACKUP-16).
 * Several processes may do so at once.
 */
export async function notifyOfMissingFiles(
  ctx: Context,
  { missing, recalled }: Pick<CreatedBackup, 'missing' | 'recalled'>,
): Promise<void> {
  requireTrusted(ctx);
  const { operatorEmail: to } = ctx.installation;
  // What no backup has comes first.
  const lost = [...missing, ...recalled];
  if (to === undefined || lost.length === 0) return;
  const state: EmailValue<'sentence'> =
    missing.length === 0
      ? { sentence: 'filesInBackups', values: {} }
      : { sentence: 'filesInNoBackup', values: { count: missing.length } };
  const files = lost.slice(0, namedInEmail).join(', ');
  const values = { count: lost.length, files, state };
  const key = `files-missing/${ctx.clock.now().toISOString().slice(0, 10)}`;
  await transact(ctx, (tx) => queueEmail(tx, { template: 'files-missing', to, values, key }));
}
