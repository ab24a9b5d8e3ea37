import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { App } from '../../server/src/app.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import { captureQueries } from './capture-queries.ts';

/**
 * The query plans of `work`: with its parameters, and the generic plans of prepared statements.
 */
export async function explainQueries(
  app: App,
  work: (ctx: Context) => Promise<unknown>,
): Promise<string> {
  const plans: string[] = [];
  for (const query of await captureQueries(app, work)) {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      plans.push(`    ${mode}:`, await explainQuery(app, query, mode));
    }
  }
  return plans.join('\n');
}

async function explainQuery(app: App, query: CompiledQuery, mode: string): Promise<string> {
  const client = await app.database.pool.connect();
  try {
    const values = query.parameters.map(writeLiteral).join(', ');
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare explained as ${query.sql}`);
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(
      `explain (analyze, buffers) execute explained${values === '' ? '' : ` (${values})`}`,
    );
    return rows.map((row) => `      ${row['QUERY PLAN']}`).join('\n');
  } finally {
    // The connection is closed because its settings have changed.
    client.release(true);
  }
}

/** A literal that PostgreSQL converts to the type of the parameter. */
function writeLiteral(value: unknown): string {
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return pg.escapeLiteral(String(value));
}
