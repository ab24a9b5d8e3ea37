import { type Page, toPage } from '../../../lib/page.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../principal.ts';
import { selectUserList } from './accounts.sql.ts';
import { getPlan } from './plans.ts';
import type { ListedUser, UserPosition } from './user.ts';

/** Every user of the installation, oldest first; for the operator. */
export async function listUsers(
  ctx: Context,
  query: { readonly after?: UserPosition | undefined; readonly limit: number },
): Promise<Page<ListedUser, UserPosition>> {
  requireOperator(ctx);
  const rows = await selectUserList(ctx.db, { ...query, limit: query.limit + 1 });
  const users = rows.map((row) => ({ ...row, includedBytes: getPlan(row.plan).storageBytes }));
  return toPage(users, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
