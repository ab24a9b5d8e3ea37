import { addDays } from '../../lib/utc-day.ts';
import { type Context, transact } from '../context.ts';
import { invalid } from '../errors.ts';
import { requireOperator } from '../principal.ts';
import { type Clients, isDataCenter } from './clients/index.ts';
import { isOpen, type OpenDays, openDays } from './days.ts';
import {
  type ClientVerdict,
  createRecount,
  insertVerdicts,
  judgeEvidence,
  listNetworks,
  listUserAgentsAfter,
  replaceListeners,
  sumDownloads,
} from './recount.sql.ts';
import { lockSums, touchSums } from './sums.sql.ts';

export interface Recount {
  /** Downloads of these days before and after. */
  readonly before: number;
  readonly after: number;
  /** Days without evidence any more; their figures stay. */
  readonly skipped: readonly string[];
}

const userAgentsAtOnce = 5_000;
/** Only a few have evidence; all others are named. */
const maxDays = 1_100;

/**
 * Counts the days from `from` to `to` again from their evidence, by the present rules. Readers see
 * the new figures all at once, and new requests wait until then. Throws `invalid` if none of the
 * days has evidence.
 */
export async function recount(
  ctx: Context,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Recount> {
  requireOperator(ctx);
  const now = ctx.clock.now();
  const open = openDays(now);
  const { days, skipped } = splitDays(from, to, open);
  if (days.length === 0)
    throw invalid(
      'from',
      `There is no evidence of these days any more. The first day that can be recounted is ${open.first}.`,
    );
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    const before = await sumDownloads(tx.db, days);
    await createRecount(tx.db);
    for await (const verdicts of judgeClients(tx, days)) await insertVerdicts(tx.db, verdicts);
    const dataCenters = (await listNetworks(tx.db, days)).filter(isDataCenter);
    for (const day of days) {
      await judgeEvidence(tx.db, day, dataCenters);
      await replaceListeners(tx.db, day);
    }
    await touchSums(tx.db, now);
    return { before, after: await sumDownloads(tx.db, days), skipped };
  });
}

/** Days of the range that have evidence, and the others. */
function splitDays(from: string, to: string, open: OpenDays) {
  if (to < from) throw invalid('to', 'The last day must not come before the first.');
  if (addDays(from, maxDays) <= to) throw invalid('to', `At most ${maxDays} days can be named.`);
  const days: string[] = [];
  const skipped: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    (isOpen(day, open) ? days : skipped).push(day);
  return { days, skipped };
}

async function* judgeClients(ctx: Context, days: readonly string[]) {
  let after: string | undefined;
  for (;;) {
    const found = await listUserAgentsAfter(ctx.db, days, after, userAgentsAtOnce);
    if (found.length === 0) return;
    yield found.map((userAgent) => judgeClient(ctx.installation.clients, userAgent));
    after = found.at(-1);
  }
}

function judgeClient(clients: Clients, userAgent: string): ClientVerdict {
  const { kind, app, device } = clients.identify(userAgent === '' ? null : userAgent);
  return { userAgent, isBot: kind === 'bot', app, device };
}
