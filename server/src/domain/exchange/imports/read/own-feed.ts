import { createYielder, mapInSlices } from '../../../../lib/time-slices.ts';
import type { Context } from '../../../foundation/context.ts';
import { audioEpisodeId, isOwnAddress, isOwnAudio } from '../../../foundation/own-addresses.ts';
import { findSlugAtDomain } from '../../../publishing/podcasts/index.ts';
import { selectKnownEpisodeIds } from '../match/known-identities.sql.ts';
import type { ItemList } from '../match/list-items.ts';
import { refuseImport } from '../refuse-import.ts';
import type { ItemProblem } from '../report/import-report.ts';
import { refOf } from './item-texts.ts';
import type { ItemHead } from './packed-items.ts';
import type { ReadFeed } from './read-feed.ts';

/**
 * A show imported from itself would lose its audio, because our URLs would redirect to themselves.
 */
export function refuseOwnAddress(ctx: Context, address: string): void {
  if (isOwnAddress(ctx.installation, address)) throw ownFeed('Its URL points to this service.');
}

/** Throws feed_is_ours for a feed whose self link, or half of whose audio, is here. */
export async function refuseFeedOfThisService(
  ctx: Context,
  feed: Pick<ReadFeed, 'podcast' | 'parts'>,
): Promise<void> {
  const { selfUrl } = feed.podcast;
  if (selfUrl !== undefined) {
    const isOurs =
      isOwnAddress(ctx.installation, selfUrl) ||
      (await findSlugAtDomain(ctx, selfUrl)) !== undefined;
    if (isOurs) throw ownFeed('Its self link is a URL of this service.');
  }
  let [withAudio, own] = [0, 0];
  for await (const { heads } of feed.parts()) {
    withAudio += heads.filter(({ enclosure }) => enclosure !== undefined).length;
    own += (await findOwnAudio(ctx, heads)).size;
  }
  if (own > 0 && own * 2 >= withAudio) {
    throw ownFeed('Its audio is at this service.');
  }
}

/** The list without enclosures that lead here; the known audio of those episodes stays. */
export async function withoutOwnAudio(
  ctx: Context,
  list: ItemList,
  findRedirected: (items: readonly ItemHead[]) => Promise<ReadonlySet<ItemHead>>,
): Promise<ItemList> {
  const all = list.items.map(({ item }) => item);
  const named = await findOwnAudio(ctx, all);
  const redirected = await findRedirected(all.filter((item) => !named.has(item)));
  const own = new Set([...named, ...redirected]);
  if (own.size === 0) return list;
  for (const item of own) list.problems.add(false, () => describeOwnAudio(item));
  const items = await mapInSlices(list.items, (entry) =>
    own.has(entry.item) ? { ...entry, item: { ...entry.item, enclosure: undefined } } : entry,
  );
  return { ...list, items };
}

export function refuseOwnAudio(ctx: Context, address: string): void {
  if (isOwnAudio(ctx.installation, address)) throw refuseImport('audio_is_ours', ownAudio);
}

const ownAudio = 'Its audio is already at this service and is not imported.';

function describeOwnAudio(item: ItemHead): ItemProblem {
  return { ...refOf(item), reason: 'audio_is_ours', message: ownAudio };
}

/** By our hosts, and by episode ids in URLs of any other host, which may be ours too. */
async function findOwnAudio(
  ctx: Context,
  items: readonly ItemHead[],
): Promise<ReadonlySet<ItemHead>> {
  const own = new Set<ItemHead>();
  const named = new Map<ItemHead, string>();
  const maybeYield = createYielder();
  for (const item of items) {
    await maybeYield();
    const url = item.enclosure?.url;
    if (url === undefined) continue;
    const episodeId = audioEpisodeId(url);
    if (isOwnAudio(ctx.installation, url)) own.add(item);
    else if (episodeId !== undefined) named.set(item, episodeId);
  }
  const known = await selectKnownEpisodeIds(ctx.db, [...new Set(named.values())]);
  for (const [item, episodeId] of named) if (known.has(episodeId)) own.add(item);
  return own;
}

function ownFeed(reason: string): Error {
  return refuseImport(
    'feed_is_ours',
    `This feed belongs to this service. ${reason} Import the show from its original host.`,
  );
}
