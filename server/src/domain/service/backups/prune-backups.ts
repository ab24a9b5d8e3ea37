import type { KeepRule } from '../../../lib/keep-rule.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';
import { bytesOfBackup, countRows } from './create-backup.ts';
import { tryReadFileLine } from './file-lines.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { describeSeveral, findLatest, type KnownBackup, originOf } from './origins.ts';
import type { BackupRepository } from './repository.ts';
import { readParts } from './rows.ts';

export interface ListedBackup {
  readonly snapshot: string;
  readonly createdAt: string;
  /** Of Podstead, when it was made. */
  readonly version: string;
  readonly rows: number;
  readonly files: number;
  /** Of everything that it consists of; other backups may share it. */
  readonly bytes: number;
}

/**
 * The complete backups, newest first. `onNote` learns of those that are not listed, because their manifests
 * are damaged, and of several installations with the same BASE_URL.
 */
export async function listBackups(
  repository: BackupRepository,
  onNote: (message: string) => void,
): Promise<ListedBackup[]> {
  const listed: ListedBackup[] = [];
  const known: KnownBackup[] = [];
  for (const snapshot of await repository.list()) {
    try {
      const manifest = await repository.readManifest(snapshot);
      known.push({ name: snapshot, ...originOf(manifest) });
      listed.push({
        snapshot,
        createdAt: manifest.created_at,
        version: manifest.release,
        rows: countRows(manifest),
        files: manifest.files.count,
        bytes: bytesOfBackup(manifest),
      });
    } catch (error) {
      if (!(error instanceof DamagedBackupError || error instanceof BackupRefusedError))
        throw error;
      onNote(error.message);
    }
  }
  const several = describeSeveral(known);
  if (several !== undefined) onNote(several);
  return listed;
}

const pausedTooLong =
  'This process was stopped for so long that another one may have begun a backup, which relies on what would be removed. Prune again.';

export interface PrunedBackups {
  readonly kept: number;
  readonly removed: number;
  readonly bytesFreed: number;
}

/**
 * Removes all backups that the rule does not keep, and content that no backup names. The newest backup of
 * each installation always stays, and `made`, which was made just now. Installations with the same BASE_URL
 * cannot remove what the rule keeps of each other. Removes nothing if a manifest cannot be read, because what
 * it names is unknown.
 */
export async function pruneBackups(
  repository: BackupRepository,
  rule: KeepRule,
  { signal, onProgress, made }: WorkOptions & { readonly made?: string } = {},
): Promise<PrunedBackups> {
  if ((await repository.list()).length === 0)
    throw new BackupRefusedError('There is no backup here.');
  await using work = await repository.begin('prune');
  const found: FoundBackup[] = [];
  for (const name of await repository.list()) {
    signal?.throwIfAborted();
    const manifest = await repository.readManifest(name).catch(refuseUnreadable(name));
    found.push({ name, ...originOf(manifest), bytes: writeManifest(manifest).length });
  }
  const kept = new Set(made === undefined ? [] : [made]);
  for (const ofAddress of Map.groupBy(found, ({ baseUrl }) => baseUrl).values())
    for (const name of chooseKept(ofAddress, rule)) kept.add(name);
  const named = new Set<string>();
  for (const name of kept) {
    signal?.throwIfAborted();
    for await (const sha256 of contentOf(repository, await repository.readManifest(name)))
      named.add(sha256);
  }
  const requireAlone = () => {
    signal?.throwIfAborted();
    if (!work.wasSeen) throw new BackupRefusedError(pausedTooLong);
  };
  let [removed, done, bytesFreed] = [0, 0, 0];
  // Manifests first: a backup whose content is going must not look complete.
  for (const { name, bytes } of found) {
    if (kept.has(name)) continue;
    requireAlone();
    await repository.removeManifest(name);
    removed += 1;
    bytesFreed += bytes;
  }
  for await (const batch of repository.listContent()) {
    for (const { sha256, bytes } of batch) {
      if (named.has(sha256)) continue;
      requireAlone();
      await repository.remove(sha256);
      bytesFreed += bytes;
    }
    done += batch.length;
    onProgress?.({ stage: 'files', done, total: undefined });
  }
  return { kept: kept.size, removed, bytesFreed };
}

function refuseUnreadable(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DamagedBackupError)) throw error;
    throw new BackupRefusedError(
      `Nothing was removed: ${error.message}, so it is unknown what that backup needs. If snapshots/${name}.json cannot be repaired, delete it.`,
    );
  };
}

interface FoundBackup extends KnownBackup {
  /** Of its manifest. */
  readonly bytes: number;
}

/**
 * Of the backups of one BASE_URL, newest first: in all, and for each period that is kept, those that no newer
 * one continues. Usually this is the newest; of several installations, it is the newest of each.
 */
export function chooseKept(backups: readonly KnownBackup[], rule: KeepRule): ReadonlySet<string> {
  const kept = new Set<string>();
  const keepLatestOf = (some: readonly KnownBackup[]) => {
    for (const { name } of findLatest(some)) kept.add(name);
  };
  const keepOfPeriods = (count: number, periodOf: (name: string) => string) => {
    const periods = [...Map.groupBy(backups, ({ name }) => periodOf(name)).values()];
    for (const ofPeriod of periods.slice(0, count)) keepLatestOf(ofPeriod);
  };
  keepLatestOf(backups);
  keepOfPeriods(rule.days, (name) => name.slice(0, 8));
  keepOfPeriods(rule.weeks, isoWeekOf);
  keepOfPeriods(rule.months, (name) => name.slice(0, 6));
  return kept;
}

/** ISO 8601: a week belongs to the year of its Thursday. */
function isoWeekOf(name: string): string {
  const [year, month, day] = [name.slice(0, 4), name.slice(4, 6), name.slice(6, 8)].map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day));
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const days = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000;
  return `${date.getUTCFullYear()}-${Math.floor(days / 7) + 1}`;
}

async function* contentOf(
  repository: BackupRepository,
  { tables, files }: Manifest,
): AsyncGenerator<string> {
  for (const { parts } of [...tables, files]) for (const { sha256 } of parts) yield sha256;
  for await (const lines of readParts(files.parts, (sha256) => repository.read(sha256)))
    for (const line of lines) {
      const file = tryReadFileLine(line);
      if (file !== undefined) yield file.sha256;
    }
}
