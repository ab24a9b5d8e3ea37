import type { App } from '../app.ts';
import type { StoreConfig } from '../config/config.ts';
import type { Context } from '../domain/foundation/context.ts';
import { defineJob, type Job, WorkerStopsError } from '../domain/foundation/job.ts';
import {
  BackupRefusedError,
  type BackupRepository,
  type CreatedBackup,
  clockDiffersMs,
  createBackup,
  findDailyPlace,
  findLastBackup,
  notifyOfMissingFiles,
  notifyOfOverdueBackup,
  OthersAtWorkError,
  pruneBackups,
} from '../domain/service/backups/index.ts';
import { nameOfPlace, openBackupRepository } from '../open-backup-repository.ts';

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
  /** Old backups could not be removed after this one. */
  let unpruned: string | undefined;
  /** A run whose time is up may still wait for a place that has stopped answering. */
  let isRunning = false;
  /** Since when all attempts have ended because others are at work, or when it was last logged. */
  let othersSince: Date | undefined;

  const backUp = async (ctx: Context, signal: AbortSignal): Promise<void> => {
    const since = othersSince ?? ctx.clock.now();
    othersSince = undefined;
    const isMade = await isBackupMade(ctx, minuteOfDay);
    if (isMade && unpruned === undefined) return;
    const open = (tables: readonly string[]) => database.openSnapshot(tables);
    let message = 'the daily backup failed; it is tried again within five minutes';
    try {
      await using repository = await openPlace(ctx, config, target);
      if (!isMade) {
        const options = { signal, alone: true, dailyPlace: nameOfDailyPlace(config, target) };
        const created = await createBackup(ctx, repository, open, options);
        // An older one may have what is missing, or be the last one of another installation.
        const isSafe = created.missing.length === 0 && created.rival?.isCopy !== true;
        unpruned = isSafe ? created.snapshot : undefined;
        await noteCreated(ctx, created);
        if (unpruned === undefined) return;
      }
      message = 'old backups were not removed; this is tried again within five minutes';
      const made = unpruned === undefined ? {} : { made: unpruned };
      const { removed, bytesFreed } = await pruneBackups(repository, keep, { signal, ...made });
      unpruned = undefined;
      if (removed > 0) ctx.log.info({ removed, bytesFreed }, 'removed old backups');
    } catch (error) {
      if (signal.reason instanceof WorkerStopsError) return;
      if (error instanceof OthersAtWorkError) othersSince = await noteOthers(ctx, error, since);
      else await noteFailure(ctx, error, message);
    }
  };

  return defineJob({
    name: 'back-up',
    timeoutSeconds: 23 * 3600,
    async run(ctx, _payload, { signal }) {
      if (isRunning) return;
      isRunning = true;
      using _checking = checkHourly(ctx);
      await backUp(ctx, signal).finally(() => {
        isRunning = false;
      });
    },
  });
}

const nameOfDailyPlace = (config: StoreConfig, target: string) =>
  nameOfPlace(config, { target, cwd: process.cwd() });

/**
 * Only the first daily backup may begin a place. Later it is empty if its disk is not mounted: a new
 * repository would fill another disk, which nobody would notice.
 */
async function openPlace(
  ctx: Context,
  config: StoreConfig,
  target: string,
): Promise<BackupRepository> {
  const mayBegin = (await findDailyPlace(ctx)) !== nameOfDailyPlace(config, target);
  await using opened = new AsyncDisposableStack();
  const place = { target, cwd: process.cwd(), mayBegin };
  const repository = opened.use(await openBackupRepository(config, place));
  if (!mayBegin && (await repository.list()).length === 0)
    throw new BackupRefusedError(
      `${target} has no backup, but one was made there. Is its disk mounted? To begin again there, make one with \`backup create\`.`,
    );
  opened.move();
  return repository;
}

async function noteFailure(ctx: Context, error: unknown, message: string): Promise<void> {
  const about = error instanceof BackupRefusedError ? { reason: error.message } : { err: error };
  ctx.log.error(about, message);
  await notifyOfOverdueBackup(ctx);
}

/**
 * Others are often another worker, which makes the same backup. If they have been at work for an hour, it is
 * logged. Returns `since`, or when it was logged.
 */
async function noteOthers(ctx: Context, { message: reason }: Error, since: Date): Promise<Date> {
  const now = ctx.clock.now();
  if (now.getTime() - since.getTime() < hourMs) {
    ctx.log.debug({ reason });
    return since;
  }
  ctx.log.warn({ reason }, 'no daily backup or prune could begin for an hour');
  await notifyOfOverdueBackup(ctx);
  return now;
}

/** A run may wait for very long, and no other begins in this time. */
function checkHourly(ctx: Context): Disposable {
  const check = () =>
    notifyOfOverdueBackup(ctx).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the age of the last backup is unchecked');
    });
  const timer = setInterval(() => void check(), hourMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function isBackupMade(ctx: Context, minuteOfDay: number): Promise<boolean> {
  const last = await findLastBackup(ctx);
  if (last === undefined) return false;
  const now = ctx.clock.now();
  // A clock that was ahead once must not end all backups.
  const isFuture = last.createdAt.getTime() >= now.getTime() + clockDiffersMs;
  return last.createdAt >= lastDueAt(now, minuteOfDay) && !isFuture;
}

async function noteCreated(ctx: Context, created: CreatedBackup): Promise<void> {
  const { snapshot, files, bytesAdded, missing, recalled, rival } = created;
  ctx.log.info({ snapshot, files, bytesAdded }, 'made a backup');
  if (rival !== undefined)
    ctx.log.warn(
      { other: rival.name },
      rival.isCopy
        ? 'a copy of this database makes backups there, too; none are removed, because they cannot be told apart'
        : 'another installation with this BASE_URL makes backups there',
    );
  const namedInLog = 20;
  if (missing.length > 0)
    ctx.log.error(
      { count: missing.length, files: missing.slice(0, namedInLog) },
      'the file store lacks files that no backup has; old backups are kept until they are back',
    );
  if (recalled.length > 0)
    ctx.log.error(
      { count: recalled.length, files: recalled.slice(0, namedInLog) },
      'the file store lacks files that backups have',
    );
  await notifyOfMissingFiles(ctx, created).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'the email about missing files was not queued');
  });
}

/** The last moment, up to `now`, at which a daily backup was due. */
export function lastDueAt(now: Date, minuteOfDay: number): Date {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const today = midnight + minuteOfDay * minuteMs;
  return new Date(today <= now.getTime() ? today : today - dayMs);
}
