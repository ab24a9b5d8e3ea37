import type { App } from '../app.ts';
import type { Context } from '../domain/foundation/context.ts';
import { defineJob, type Job } from '../domain/foundation/job.ts';
import {
  BackupRefusedError,
  type CreatedBackup,
  createBackup,
  findLastBackup,
  notifyOfOverdueBackup,
  pruneBackups,
} from '../domain/service/backups/index.ts';
import { openBackupRepository } from '../open-backup-repository.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Makes the daily backup of BACKUP_TO when its time has come, and prunes old ones. Whatever the last
 * attempt came to, the next one continues from it: this runs every few minutes.
 */
export function createBackUpJob({ config, database }: App): Job | undefined {
  const { backups } = config;
  if (backups === undefined) return undefined;
  const { target, keep, minuteOfDay } = backups;
  // Old backups could not be removed after this one.
  let unpruned: string | undefined;
  return defineJob({
    name: 'back-up',
    timeoutSeconds: 23 * 3600,
    async run(ctx, _payload, { signal }) {
      const last = await findLastBackup(ctx);
      const now = ctx.clock.now();
      const dueAt = lastDueAt(now, minuteOfDay);
      // A clock that was ahead once must not end all backups. That of the database may differ a little.
      const latest = now.getTime() + hourMs;
      const isMade =
        last !== undefined && last.createdAt >= dueAt && last.createdAt.getTime() < latest;
      if (isMade && unpruned === undefined) return;
      const place = { target, cwd: process.cwd(), mayBegin: true };
      const open = (tables: readonly string[]) => database.openSnapshot(tables);
      let message = 'the daily backup failed; it is tried again within five minutes';
      try {
        await using repository = await openBackupRepository(config, place);
        if (!isMade) {
          // Another process may be making the same one, which takes longer than until now.
          const created = await createBackup(ctx, repository, open, { signal, alone: true });
          noteCreated(ctx, created);
          unpruned = created.snapshot;
        }
        message = 'old backups were not removed; this is tried again within five minutes';
        const made = unpruned === undefined ? {} : { made: unpruned };
        const { removed, bytesFreed } = await pruneBackups(repository, keep, { signal, ...made });
        unpruned = undefined;
        if (removed > 0) ctx.log.info({ removed, bytesFreed }, 'removed old backups');
      } catch (error) {
        if (signal.aborted) return;
        const about =
          error instanceof BackupRefusedError ? { reason: error.message } : { err: error };
        ctx.log.error(about, message);
        await notifyOfOverdueBackup(ctx);
      }
    },
  });
}

function noteCreated({ log }: Context, created: CreatedBackup): void {
  const { snapshot, files, bytesAdded, missing } = created;
  log.info({ snapshot, files, bytesAdded }, 'made a backup');
  if (missing.length > 0)
    log.error({ files: missing.slice(0, 20) }, 'the backup lacks files that are missing here');
}

/** The last moment, up to `now`, at which a daily backup was due. */
export function lastDueAt(now: Date, minuteOfDay: number): Date {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const today = midnight + minuteOfDay * minuteMs;
  return new Date(today <= now.getTime() ? today : today - dayMs);
}
