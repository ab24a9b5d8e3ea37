import { type KyselyPlugin, RawNode } from 'kysely';
import type { Db } from '../src/domain/foundation/database.ts';

/** The plans of the raw statements that run with the database it gives, as on a large table. They find nothing. */
export async function explain(db: Db, run: (db: Db) => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (!RawNode.is(node)) return node;
      const [first = '', ...rest] = node.sqlFragments;
      return { ...node, sqlFragments: [`explain ${first}`, ...rest] };
    },
    async transformResult({ result }) {
      lines.push(...result.rows.map((row) => String(row['QUERY PLAN'])));
      return { ...result, rows: [] };
    },
  };
  await run(db.withPlugin(plugin) as Db);
  return lines.join('\n');
}
