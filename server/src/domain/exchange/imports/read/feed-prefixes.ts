import { isEnclosurePrefix, maxPrefixes } from '../../../../lib/enclosure-prefixes.ts';
import type { RedirectTable } from '../../../foundation/context.ts';
import { findPrefixes } from '../../../foundation/provenance/index.ts';
import type { ReadFeed } from './read-feed.ts';

/** The newest items say what the feed does now; the first ones of a page are nearly always those. */
const itemsLookedAt = 100;

/** The measurement prefixes of a feed: those of most items with audio. */
export function prefixesOfFeed(
  { items }: Pick<ReadFeed, 'items'>,
  table: RedirectTable,
): readonly string[] {
  const chains = new Map<string, { readonly prefixes: readonly string[]; count: number }>();
  const urls = items.slice(0, itemsLookedAt).flatMap(({ enclosure }) => enclosure?.url ?? []);
  for (const url of urls) {
    const prefixes = findPrefixes(url, table);
    const chain = chains.get(prefixes.join(' ')) ?? { prefixes, count: 0 };
    chain.count += 1;
    chains.set(prefixes.join(' '), chain);
  }
  const found = [...chains.values()].find(({ count }) => count * 2 > urls.length);
  const kept = [...new Set(found?.prefixes)].filter(isEnclosurePrefix);
  return kept.slice(0, maxPrefixes);
}
