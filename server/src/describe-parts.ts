import type { App } from './app.ts';
import type { PartSources } from './http/monitoring/part-metrics.ts';
import { pendingMigrations } from './platform/database/migrations/migrate.ts';
import { migrationsFolder } from './platform/database/migrations/migration-files.ts';

/** What an app needs in order to work, for /readyz and /metrics. */
export function describeParts({ config, database, ctx, jobCounts }: App): PartSources {
  const checks = {
    database: () => database.ping(),
    migrations: async () => {
      const pending = await pendingMigrations(database, migrationsFolder);
      if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`);
    },
    store: () => ctx.blobs.check(),
  };
  return { checks, dataDir: config.dataDir, jobs: jobCounts };
}
