import { migrate as migrateDatabase } from '../platform/database/migrate.ts';
import { migrationsFolder, readMigrations } from '../platform/database/migration-files.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { Migrate } from './process-commands.ts';

export const run: RunOnApp<Migrate> = async (app, _args, io) => {
  // Opening the installation has migrated it; a server that holds it may have newer files since.
  await migrateDatabase(app.database, migrationsFolder);
  const files = await readMigrations(migrationsFolder);
  printJson(io, { database: app.database.kind, version: files.at(-1)?.name ?? null });
};
