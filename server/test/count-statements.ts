import type { KyselyPlugin } from 'kysely';
import type { Context } from '../src/domain/foundation/context.ts';

/** A context that counts the statements of its verbs, without those that begin and end transactions. */
export function countStatements(ctx: Context): { readonly ctx: Context; count(): number } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ctx: { ...ctx, db: ctx.db.withPlugin(plugin) }, count: () => count };
}
