import { isSameEmail } from '../../../lib/email-address.ts';
import { getUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { type EmailValue, queueEmail } from '../../foundation/emails/index.ts';
import { requireTrusted, requireUser } from '../../foundation/principal.ts';
import { selectDailyPlace, selectFirstMigration, selectLastBackup } from './backups.sql.ts';

/** The newest complete backup of this installation, wherever it was written. */
export interface LastBackup {
  readonly snapshot: string;
  /** When all rows were as they are in it. */
  readonly createdAt: Date;
}

/** Undefined: there is none. Checks no permission. */
export async function findLastBackup({ db }: Context): Promise<LastBackup | undefined> {
  return await selectLastBackup(db);
}

/** Where the last daily backup was made. Undefined: unknown, or there was none. Checks no permission. */
export async function findDailyPlace({ db }: Context): Promise<string | undefined> {
  return (await selectDailyPlace(db)) ?? undefined;
}

/** How old the newest backup of an installation is, for its operator. */
export interface BackupAge {
  /** When the newest backup was made; null: none was. */
  readonly madeAt: Date | null;
  /** No backup has succeeded for two days (BACKUP-15). */
  readonly isOverdue: boolean;
}

const dayMs = 86_400_000;
const overdueMs = 2 * dayMs;
const remindedEveryMs = 7 * dayMs;
/** The clock of the database may differ a little. */
export const clockDiffersMs = 3_600_000;

/** Undefined for everybody but the operator, who is the user with the address OPERATOR_EMAIL. */
export async function readBackupAge(ctx: Context): Promise<BackupAge | undefined> {
  const { operatorEmail } = ctx.installation;
  if (operatorEmail === undefined) return undefined;
  const { email } = await getUser(ctx, requireUser(ctx));
  if (!isSameEmail(email, operatorEmail)) return undefined;
  const { madeAt, isOverdue } = await measureBackupAge(ctx);
  return { madeAt, isOverdue };
}

/**
 * Emails the operator if no backup has succeeded for two days, and again each week. Several processes may do
 * so at once.
 */
export async function notifyOfOverdueBackup(ctx: Context): Promise<void> {
  requireTrusted(ctx);
  const { operatorEmail: to } = ctx.installation;
  if (to === undefined) return;
  const { madeAt, isOverdue, ageMs } = await measureBackupAge(ctx);
  if (!isOverdue) return;
  const state: EmailValue<'sentence'> =
    madeAt === null
      ? { sentence: 'noBackup', values: {} }
      : { sentence: 'lastBackup', values: { at: madeAt } };
  const week = Math.floor((ageMs - overdueMs) / remindedEveryMs);
  const key = `backup-overdue/${madeAt?.getTime() ?? 'none'}/${week}`;
  const email = { template: 'backup-overdue', to, values: { state }, key } as const;
  await transact(ctx, (tx) => queueEmail(tx, email));
}

async function measureBackupAge(ctx: Context): Promise<BackupAge & { readonly ageMs: number }> {
  const madeAt = (await selectLastBackup(ctx.db))?.createdAt ?? null;
  const now = ctx.clock.now().getTime();
  // Nothing could be lost before the first. A clock that was ahead says nothing of the age.
  const isKnown = madeAt !== null && madeAt.getTime() < now + clockDiffersMs;
  const since = isKnown ? madeAt : await selectFirstMigration(ctx.db);
  const ageMs = now - since.getTime();
  return { madeAt, ageMs, isOverdue: ctx.installation.backsUp && ageMs > overdueMs };
}
