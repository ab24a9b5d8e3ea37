import type { Context } from '../../foundation/context.ts';
import { BackupRefusedError } from './backup-errors.ts';
import { selectRestore } from './backups.sql.ts';

/** Throws BackupRefusedError while a restore into this database is not finished. */
export async function refuseUnfinishedRestore({ db }: Context): Promise<void> {
  const restore = await selectRestore(db);
  if (restore === undefined || restore.finishedAt !== null) return;
  throw new BackupRefusedError(
    `The restore of ${restore.snapshot} has not ended. Run \`backup restore\` again first; it goes on where it was.`,
  );
}
