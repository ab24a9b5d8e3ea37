import type { PgBoss } from 'pg-boss';
import rootPackage from '../../../package.json' with { type: 'json' };
import type { App } from '../app.ts';
import { followLog, purgeOtherLogs } from '../domain/audience/downloads/index.ts';
import { startFeedNotifications } from '../domain/exchange/feed-notifications/index.ts';
import { startPings } from '../domain/exchange/sites/pings/index.ts';
import { startWebhooks } from '../domain/exchange/webhooks/index.ts';
import { type Job, WorkerStopsError } from '../domain/foundation/job.ts';
import { system } from '../domain/foundation/principal.ts';
import { startIndexing } from '../domain/public/search/index.ts';
import { isReleaseSince } from '../lib/is-release-since.ts';
import type { ChangeListener } from '../platform/database/announcements.ts';
import { isDatabaseAway } from '../platform/database/connections/database-away.ts';
import { forgetFutureTimes } from '../platform/database/queue-clock.ts';
import { createBackUpJob } from './back-up.job.ts';
import { createBoss, JobQueue, onceIn, pollingSecondsOf } from './job-queue.ts';
import { otherJobs, type Scheduled, schedule } from './schedule.ts';

const correctEveryMs = 60_000;
/** Part of the ten seconds that a process has to stop. */
const stopWithinMs = 4_000;

/**
 * Runs the background jobs, beside any number of other processes on the same database. Disposing
 * takes no new jobs and tells running ones to stop; after 4 s the rest is abandoned, and the next
 * worker picks it up.
 */
export async function startWorker(app: App): Promise<AsyncDisposable> {
  const stopping = new AbortController();
  const boss = createBoss(app, stopping.signal);
  let stopListening = (): void => undefined;
  /** What runs beside the jobs. */
  const beside: AsyncDisposable[] = [];
  const stop = async (): Promise<void> => {
    stopListening();
    stopping.abort(new WorkerStopsError());
    const ends = beside.map((one) => one[Symbol.asyncDispose]());
    await Promise.all([...ends, stopBoss(boss)]);
  };
  try {
    await boss.start();
    beside.push(await keepTimesCorrect(app));
    const ctx = app.contextFor(system);
    const queue = new JobQueue(boss, ctx, stopping.signal, app.jobCounts);
    const backUp = createBackUpJob(app);
    const periodic =
      backUp === undefined ? schedule : [...schedule, { job: backUp, cron: '*/5 * * * *' }];
    for (const job of [...periodic.map(({ job }) => job), ...otherJobs])
      await queue.work(job, pollingSecondsOf(app));
    await syncSchedule(boss, periodic);
    // Jobs that were due while no worker ran.
    for (const { job } of periodic) await queue.enqueue(job, {});
    stopListening = enqueueAnnouncedJobs(app, queue);
    beside.push(startPings(ctx, { counts: app.pingCounts }));
    beside.push(startFeedNotifications(ctx, { counts: app.notificationCounts }));
    const present = await app.loadWebhookPresenter();
    beside.push(startWebhooks(ctx, { present, counts: app.webhookCounts }));
    beside.push(startIndexing(ctx));
    const { accessLog } = app.config;
    await purgeOtherLogs(ctx, accessLog);
    if (accessLog !== undefined)
      beside.push(followLog(ctx, app.geo, accessLog, { counts: app.downloadCounts }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

/** Now and each minute, because the clock of the database may be set back at any time. */
async function keepTimesCorrect({ database: { pool }, log }: App): Promise<AsyncDisposable> {
  await forgetFutureTimes(pool);
  const correct = async () => {
    await forgetFutureTimes(pool).catch((error: unknown) => {
      if (isDatabaseAway(error)) return;
      log.warn({ err: error }, 'the times of the job queue are unchecked');
    });
  };
  const timer = setInterval(() => void correct(), correctEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
    },
  };
}

async function stopBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.stop({ graceful: true, timeout: stopWithinMs, close: false });
  } catch (error) {
    // Jobs that still run could not be recorded as failed. They are when their heartbeats stay away.
    if (!isDatabaseAway(error)) throw error;
  }
}

/**
 * Enqueues the work that a commit announces, here or in another process; many announcements give
 * one job.
 */
function enqueueAnnouncedJobs({ log, database }: App, queue: JobQueue): () => void {
  const enqueue = (job: Job): void => {
    queue.enqueue(job, {}).catch((error: unknown) => {
      log.warn(
        { err: error, job: job.name },
        'a job was not enqueued; the schedule will enqueue it',
      );
    });
  };
  const listener: ChangeListener = {
    onChange: () => undefined,
    onGap: () => undefined,
    onWork: (name) => {
      const found = schedule.find(({ job }) => job.name === name);
      if (found !== undefined) enqueue(found.job);
    },
    onWorkGap: () => {
      for (const { job } of schedule) enqueue(job);
    },
  };
  return database.announcements.subscribe(listener, { isWaiting: true });
}

/**
 * Writes the schedules, and removes those of earlier versions. Those of a newer one stay: this may be the
 * restart of a process that an upgrade has not replaced yet.
 */
async function syncSchedule(boss: PgBoss, periodic: readonly Scheduled[]): Promise<void> {
  const { version: release } = rootPackage;
  for (const { job, cron } of periodic) {
    // Part of the payload, which has room for it.
    await boss.schedule(job.name, cron, { release }, onceIn(job.onceInSeconds));
  }
  const names = new Set(periodic.map(({ job }) => job.name));
  for (const { name, key, data } of await boss.getSchedules()) {
    const by = (data as { release?: string } | null)?.release;
    if (!names.has(name) && (by === undefined || isReleaseSince(release, by)))
      await boss.unschedule(name, key);
  }
}
