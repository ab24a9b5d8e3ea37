import type { Context } from '../../../foundation/context.ts';
import { makeSiteDue } from './due.sql.ts';

/** Makes a ping due for a site whose shows have changed; call it in the same transaction. */
export async function schedulePing(tx: Context, siteId: string): Promise<void> {
  await makeSiteDue(tx.db, siteId, tx.clock.now());
}
