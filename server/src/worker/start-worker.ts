import type { PgBoss } from 'pg-boss';
import type { App } from '../app.ts';
import { system } from '../domain/actor.ts';
import type { Job } from '../domain/job.ts';
import { createBoss, pollingSecondsOf } from './create-boss.ts';
import { JobQueue } from './job-queue.ts';
import { jobs } from './jobs.ts';
import { schedule } from './schedule.ts';

/** Of the ten seconds that a process has for its end. */
const stopWithinMs = 5_000;

/**
 * Does the background work, beside any number of other processes on the same database. Disposing
 * takes no new jobs and tells those under way to stop; what has not ended within 5 s is left as it
 * is, and found again by the next worker.
 */
export async function startWorker(app: App): Promise<AsyncDisposable> {
  const stopping = new AbortController();
  const boss = createBoss(app);
  let stopListening = (): void => undefined;
  const stop = async (): Promise<void> => {
    stopListening();
    stopping.abort(new Error('the worker is stopping'));
    await boss.stop({ graceful: true, timeout: stopWithinMs, close: false });
  };
  try {
    await boss.start();
    const queue = new JobQueue(boss, app.contextFor(system), stopping.signal);
    for (const job of jobs) await queue.work(job, pollingSecondsOf(app));
    await keepSchedule(boss);
    // What was due while nobody was there.
    for (const { job } of schedule) await queue.order(job, {});
    stopListening = orderWhatIsAnnounced(app, queue);
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

/** What a commit leaves behind, here or in another process, is done at once: of many, in one go. */
function orderWhatIsAnnounced({ log, database }: App, queue: JobQueue): () => void {
  const order = (job: Job): void => {
    queue.order(job, {}).catch((error: unknown) => {
      log.warn({ err: error, job: job.name }, 'a job was not ordered; the clock will');
    });
  };
  return database.changes.subscribe({
    onChange: () => undefined,
    onWork: (name) => {
      const found = schedule.find(({ job }) => job.name === name);
      if (found !== undefined) order(found.job);
    },
    onGap: () => {
      for (const { job } of schedule) order(job);
    },
  });
}

/** The schedule is kept in the database: what an earlier version had in it, and this has not, goes. */
async function keepSchedule(boss: PgBoss): Promise<void> {
  for (const { job, cron } of schedule) await boss.schedule(job.name, cron, {});
  const names = new Set(schedule.map(({ job }) => job.name));
  for (const { name, key } of await boss.getSchedules()) {
    if (!names.has(name)) await boss.unschedule(name, key);
  }
}
