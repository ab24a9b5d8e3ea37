import { migrate as migrateDatabase } from '../platform/database/migrations/migrate.ts';
import {
  migrationsFolder,
  readMigrations,
} from '../platform/database/migrations/migration-files.ts';
import { printJson } from './command-io.ts';
import type { MigrateRuns } from './process-commands.ts';

export const migrate: MigrateRuns['migrate'] = async (app, _args, io) => {
  // Opening the installation has migrated it; a server that holds it may have newer files since.
  await migrateDatabase(app.database, migrationsFolder);
  const files = await readMigrations(migrationsFolder);
  printJson(io, { database: app.database.kind, version: files.at(-1)?.name ?? null });
};
