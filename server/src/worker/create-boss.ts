import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { App } from '../app.ts';

/**
 * How often the queue looks for what it was not told of: jobs of other processes, due schedules. The
 * embedded database has one session for everything, and no other process; there all of this
 * together asks it some 40 times a minute.
 */
const pollingSeconds = { embedded: 10, server: 3 } as const;
const hourSeconds = 3600;

export function pollingSecondsOf({ database }: App): number {
  return pollingSeconds[database.kind];
}

/**
 * The job queue in the installation's own database, by its own pool. Its tables (schema `pgboss`)
 * are its own: made and brought up to date when it starts, by whichever process is first.
 */
export function createBoss(app: App): PgBoss {
  const { pool, kind } = app.database;
  const polling = pollingSecondsOf(app);
  const options: ConstructorOptions = {
    db: { executeSql: (text, values) => pool.query(text, values) },
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    cronWorkerIntervalSeconds: polling,
    // There are no jobs that wait for others, and no indexes to be built beside running jobs.
    flowIntervalSeconds: hourSeconds,
    bamIntervalSeconds: hourSeconds,
    queueCacheIntervalSeconds: 10 * 60,
    // The embedded database looks after its tables itself; a server has autovacuum.
    monitorVacuum: false,
    reindex: kind === 'server',
  };
  const boss = new PgBoss(options);
  // Unheard, an 'error' ends the process.
  boss.on('error', (error) => app.log.warn({ err: error }, 'the job queue stumbled'));
  boss.on('warning', (warning) => app.log.warn({ warning }, 'the job queue warns'));
  return boss;
}
