import type { App } from '../app.ts';
import { defineJob, type Job } from '../domain/foundation/job.ts';
import {
  BackupRefusedError,
  createBackup,
  findLastBackup,
  pruneBackups,
} from '../domain/service/backups/index.ts';
import { openBackupRepository } from '../open-backup-repository.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Makes the daily backup of BACKUP_TO when its time has come, and prunes old ones. Whatever the last
 * attempt came to, the next one continues from it: this runs every few minutes.
 */
export function createBackUpJob({ config, database }: App): Job | undefined {
  const { backups } = config;
  if (backups === undefined) return undefined;
  const { target, keep, minuteOfDay } = backups;
  return defineJob({
    name: 'back-up',
    timeoutSeconds: 23 * 3600,
    async run(ctx, _payload, { signal }) {
      const last = await findLastBackup(ctx);
      const dueAt = lastDueAt(ctx.clock.now(), minuteOfDay);
      if (last !== undefined && last.createdAt >= dueAt) return;
      const place = { target, cwd: process.cwd(), mayBegin: true };
      await using repository = await openBackupRepository(config, place);
      const open = () => database.openSnapshot();
      try {
        // Another process may be making the same one, which takes longer than until now.
        const options = { signal, alone: true };
        const { snapshot, files, bytesAdded } = await createBackup(ctx, repository, open, options);
        ctx.log.info({ snapshot, files, bytesAdded }, 'made a backup');
        await pruneBackups(repository, keep, { signal });
      } catch (error) {
        if (!(error instanceof BackupRefusedError)) throw error;
        ctx.log.info({ reason: error.message }, 'backups wait');
      }
    },
  });
}

/** The last moment, up to `now`, at which a daily backup was due. */
export function lastDueAt(now: Date, minuteOfDay: number): Date {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const today = midnight + minuteOfDay * minuteMs;
  return new Date(today <= now.getTime() ? today : today - dayMs);
}
