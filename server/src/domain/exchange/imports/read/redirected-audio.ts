import { forEachConcurrently } from '../../../../lib/for-each-concurrently.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { Context } from '../../../foundation/context.ts';
import { audioEpisodeId, isOwnAudio } from '../../../foundation/own-addresses.ts';
import { selectKnownEpisodeIds } from '../match/known-identities.sql.ts';
import type { ItemHead } from './packed-items.ts';
import type { Transfers } from './transfers.ts';

/** Items checked per host; if one leads here, all items of that host are checked. */
const sampleSize = 3;
/** A feed may use another host in every item. */
const mostSamples = 60;

/**
 * Items whose audio URL redirects to us, as at a host that redirects an old show. Without a copy,
 * our URL would redirect to itself. Hosts redirect whole shows, so the newest items of each host
 * are enough; a long show needs no thousands of requests.
 */
export async function findRedirectedAudio(
  { ctx, transfers }: { readonly ctx: Context; readonly transfers: Transfers },
  items: readonly ItemHead[],
): Promise<ReadonlySet<ItemHead>> {
  const byHost = await groupByHost(items);
  const trace = (some: readonly ItemHead[]) => traceItems({ ctx, transfers }, some);
  const samples = byHost.flatMap((some) => some.slice(0, sampleSize)).slice(0, mostSamples);
  const own = await trace(samples);
  const suspects = byHost.filter((some) => some.some((item) => own.has(item)));
  const more = await trace(suspects.flatMap((some) => some.slice(sampleSize)));
  return new Set([...own, ...more]);
}

/** Items with audio, the newest first. */
async function groupByHost(items: readonly ItemHead[]): Promise<readonly ItemHead[][]> {
  const byHost = new Map<string, ItemHead[]>();
  const maybeYield = createYielder();
  for (const item of items.toReversed()) {
    await maybeYield();
    const host = URL.parse(item.enclosure?.url ?? '')?.host;
    if (host === undefined) continue;
    const group = byHost.get(host);
    if (group === undefined) byHost.set(host, [item]);
    else group.push(item);
  }
  return [...byHost.values()];
}

async function traceItems(
  { ctx, transfers }: { readonly ctx: Context; readonly transfers: Transfers },
  items: readonly ItemHead[],
): Promise<Set<ItemHead>> {
  const own = new Set<ItemHead>();
  const isOwn = (address: string) => isOwnAudio(ctx.installation, address);
  const maybeYield = createYielder();
  await forEachConcurrently(items, concurrentTraces, async (item) => {
    // An unresponsive host is not asked again.
    await maybeYield();
    const passed = await transfers.trace(item.enclosure?.url ?? '', isOwn);
    const ids = passed.flatMap((address) => audioEpisodeId(address) ?? []);
    if (passed.some(isOwn) || (await selectKnownEpisodeIds(ctx.db, ids)).size > 0) own.add(item);
  });
  return own;
}

const concurrentTraces = 6;
