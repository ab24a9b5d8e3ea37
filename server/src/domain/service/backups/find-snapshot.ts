import { BackupRefusedError, orUnreadable } from './backup-errors.ts';
import { describeSeveral, type KnownBackup, originOf } from './origins.ts';
import type { BackupRepository } from './repository.ts';

/** The newest snapshot, or the one with this name. Throws BackupRefusedError if there is none. */
export async function findSnapshot(repository: BackupRepository, name?: string): Promise<string> {
  if (name !== undefined) return name;
  const [newest] = await repository.list();
  if (newest === undefined) throw new BackupRefusedError('There is no backup here.');
  return newest;
}

/**
 * The newest backup. Throws BackupRefusedError if it is not clear which one is meant: another installation
 * with the same BASE_URL has made backups that it doesn't continue.
 */
export async function findSnapshotToRestore(repository: BackupRepository): Promise<string> {
  const newest = await findSnapshot(repository);
  const { base_url: baseUrl } = await repository.readManifest(newest);
  const backups: KnownBackup[] = [];
  for (const name of await repository.list()) {
    const manifest = await orUnreadable(repository.readManifest(name));
    if (manifest?.base_url === baseUrl) backups.push({ name, ...originOf(manifest) });
  }
  const several = describeSeveral(backups);
  if (several === undefined) return newest;
  throw new BackupRefusedError(`${several} Name the one to restore.`);
}
