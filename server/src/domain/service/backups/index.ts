/**
 * Backups of a whole installation: what is in one (`tables.ts`), how it is written (docs/backups.md), and
 * how it comes back. They know the tables of all modules, but no meaning of theirs.
 */

export { BackupRefusedError, DamagedBackupError, OthersAtWorkError } from './backup-errors.ts';
export {
  type CreatedBackup,
  createBackup,
} from './create-backup.ts';
export { findSnapshot, findSnapshotToRestore } from './find-snapshot.ts';
export {
  type BackupAge,
  clockDiffersMs,
  findDailyPlace,
  findLastBackup,
  type LastBackup,
  notifyOfOverdueBackup,
  readBackupAge,
} from './last-backup.ts';
export { notifyOfMissingFiles } from './missing-files.ts';
export { describeOtherSecret } from './other-secret.ts';
export { type ListedBackup, listBackups, pruneBackups } from './prune-backups.ts';
export { BackupRepository } from './repository.ts';
export { type RestoredBackup, restoreBackup } from './restore-backup.ts';
export { verifyBackup } from './verify-backup.ts';
