import { migrate as migrateDatabase } from '../platform/database/migrate.ts';
import { migrationsFolder, readMigrations } from '../platform/database/migration-files.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';

export const migrate = defineAppCommand({
  name: 'migrate',
  about: 'Brings the database up to date.',
  notes: 'Safe to run from several processes at once; every command that opens it does the same.',
  async run(app, _args, io) {
    // Done when the installation was opened; a server that holds it may have newer files since.
    await migrateDatabase(app.database, migrationsFolder);
    const files = await readMigrations(migrationsFolder);
    printJson(io, { database: app.database.kind, version: files.at(-1)?.name ?? null });
  },
});
