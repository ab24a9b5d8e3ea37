import { defineJob } from '../../foundation/job.ts';
import { deleteOldImports } from './import-list.sql.ts';

const keptDays = 90;
const dayMs = 24 * 3600 * 1000;

/** Deletes old imports with their reports; keeps the newest of each show. */
export const purgeImportsJob = defineJob({
  name: 'purge-imports',
  timeoutSeconds: 300,
  run: (ctx) => deleteOldImports(ctx.db, new Date(ctx.clock.now().getTime() - keptDays * dayMs)),
});
