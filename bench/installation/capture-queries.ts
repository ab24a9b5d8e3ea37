import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import type { App } from '../../server/src/app.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import type { Tables } from '../../server/src/domain/foundation/database.ts';

/** The queries that `work` sends, with their parameters. */
export async function captureQueries(
  app: App,
  work: (ctx: Context) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: app.database.pool }),
    log: ({ query }) => void queries.push(query),
  });
  await work({ ...app.ctx, db });
  return queries;
}
