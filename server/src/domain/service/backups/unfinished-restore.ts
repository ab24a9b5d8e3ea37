import { BackupRefusedError } from './backup-errors.ts';
import { type Queryable, selectUnfinishedRestore } from './backups.sql.ts';

/** Throws BackupRefusedError while a restore into this database is not finished. */
export async function refuseUnfinishedRestore(client: Queryable): Promise<void> {
  const snapshot = await selectUnfinishedRestore(client);
  if (snapshot === undefined) return;
  throw new BackupRefusedError(
    `The restore of ${snapshot} has not ended. Run \`backup restore\` again first; it goes on where it was.`,
  );
}
