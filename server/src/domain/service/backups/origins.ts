import type { Context } from '../../foundation/context.ts';
import { orUnreadable } from './backup-errors.ts';
import { selectLastBackup, selectOrigin } from './backups.sql.ts';
import type { Manifest } from './manifest.ts';
import type { BackupRepository } from './repository.ts';

// Several installations may have the same BASE_URL and make backups in one place: a copy for tests, or an old
// machine that is switched on again. None of them knows what the others have stored since.

/** Which installation has made a backup. */
export interface Origin {
  readonly baseUrl: string;
  /** Of the installations with this BASE_URL. Undefined: an earlier release did not say it. */
  readonly database: string | undefined;
  /** The name of the backup that was restored there. */
  readonly restoredFrom: string | undefined;
}

export interface KnownBackup extends Origin {
  /** It begins with the time. */
  readonly name: string;
}

export function originOf(manifest: Manifest): Origin {
  const { base_url: baseUrl, database_since: database, restored_from: restoredFrom } = manifest;
  return { baseUrl, database, restoredFrom };
}

/** Whether a newer backup continues an older one: the same installation made it, or one that was restored since. */
function continues(newer: Origin, older: KnownBackup): boolean {
  if (newer.baseUrl !== older.baseUrl) return false;
  if (newer.database === undefined || older.database === undefined) return true;
  const { restoredFrom = '' } = newer;
  return newer.database === older.database || older.name <= restoredFrom;
}

/** Those that no newer one continues. `backups` are newest first. */
export function findLatest<Backup extends KnownBackup>(backups: readonly Backup[]): Backup[] {
  const latest: Backup[] = [];
  for (const backup of backups)
    if (!latest.some((newer) => continues(newer, backup))) latest.push(backup);
  return latest;
}

/** In a sentence, if several installations with the same BASE_URL have made backups. */
export function describeSeveral(backups: readonly KnownBackup[]): string | undefined {
  const latest = Map.groupBy(findLatest(backups), ({ baseUrl }) => baseUrl);
  const sentences = [...latest].flatMap(([baseUrl, ofAddress]) => {
    const names = ofAddress.map(({ name }) => name).join(', ');
    const several = `Several installations of ${baseUrl} have made backups here. Their newest are`;
    return ofAddress.length > 1 ? [`${several} ${names}.`] : [];
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The newest backup of a place, which another installation with the same BASE_URL has made. */
export interface Rival {
  readonly name: string;
  /** Its database is a copy of this one that no restore has made, so nobody can tell their backups apart. */
  readonly isCopy: boolean;
}

/** Undefined: this installation has made the newest backup, or continues it, or it has another BASE_URL. */
export async function findRival(
  { db, installation: { baseUrl } }: Context,
  repository: BackupRepository,
): Promise<Rival | undefined> {
  const [name] = await repository.list();
  if (name === undefined) return undefined;
  const manifest = await orUnreadable(repository.readManifest(name));
  if (manifest === undefined || manifest.base_url !== baseUrl) return undefined;
  const { since: database, restoredFrom } = await selectOrigin(db);
  const own = { baseUrl, database, restoredFrom: restoredFrom ?? undefined };
  if (!continues(own, { name, ...originOf(manifest) })) return { name, isCopy: false };
  const last = await selectLastBackup(db);
  // Each backup of its own is noted there.
  const isUnknown = last !== undefined && new Date(manifest.created_at) > last.createdAt;
  return isUnknown && name !== last.snapshot ? { name, isCopy: true } : undefined;
}
