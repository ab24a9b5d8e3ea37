import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { App } from '../app.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';

/**
 * How often the queue polls for jobs of other processes and due schedules. The embedded database
 * has a single session and no other process; all polling together costs it some 40 queries a
 * minute.
 */
const pollingSeconds = { embedded: 10, server: 3 } as const;
const hourSeconds = 3600;

export function pollingSecondsOf({ database }: App): number {
  return pollingSeconds[database.kind];
}

/**
 * The job queue (pg-boss) in the installation's own database, with its own pool. Whichever process
 * starts first creates and migrates its schema, `pgboss`.
 */
export function createBoss(app: App, stopping: AbortSignal): PgBoss {
  const { pool, kind } = app.database;
  const polling = pollingSecondsOf(app);
  const options: ConstructorOptions = {
    db: { executeSql: (text, values) => pool.query(text, values) },
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    cronWorkerIntervalSeconds: polling,
    // We use neither jobs that depend on others nor concurrent index builds.
    flowIntervalSeconds: hourSeconds,
    bamIntervalSeconds: hourSeconds,
    queueCacheIntervalSeconds: 10 * 60,
    // Unneeded: the embedded database is vacuumed by us, and a server has autovacuum.
    monitorVacuum: false,
    reindex: kind === 'server',
  };
  const boss = new PgBoss(options);
  // An unhandled 'error' event would end the process.
  boss.on('error', (error) => {
    // A job that did not end in time fails when the database is closed already.
    if (stopping.aborted && isDatabaseAway(error)) return;
    app.log.warn({ err: error }, 'the job queue failed');
  });
  boss.on('warning', (warning) => app.log.warn({ warning }, 'the job queue has a warning'));
  return boss;
}
