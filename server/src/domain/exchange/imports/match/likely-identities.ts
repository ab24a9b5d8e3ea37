import { createYielder } from '../../../../lib/time-slices.ts';
import type { RedirectTable } from '../../../foundation/context.ts';
import type { KnownIdentity } from './known-identities.sql.ts';
import { audioOf, type FeedItem } from './list-items.ts';
import { titleOf } from './pair-by-content.ts';
import { sourceKeyOf } from './source-key.ts';

/** Two already prove that audio or a title identifies nothing. */
const enough = 2;

/**
 * Those identities of a podcast that an item of the feed may have, as if all were known: a show may have
 * many more. Yields to other tasks.
 */
export async function findLikelyIdentities(
  items: readonly FeedItem[],
  pages: AsyncIterable<readonly KnownIdentity[]>,
  redirects: RedirectTable,
): Promise<readonly KnownIdentity[]> {
  const likely = new LikelyIdentities(redirects);
  const maybeYield = createYielder();
  for (const entry of items) {
    likely.want(entry);
    await maybeYield();
  }
  for await (const page of pages) {
    for (const identity of page) {
      likely.add(identity);
      await maybeYield();
    }
  }
  return likely.found;
}

class LikelyIdentities {
  readonly #redirects: RedirectTable;
  /** GUIDs and keys. */
  readonly #names = new Set<string>();
  /** How many have this audio or title, without those that one of the names has. */
  readonly #audio = new Map<string, number>();
  readonly #titles = new Map<string, number>();
  readonly found: KnownIdentity[] = [];

  constructor(redirects: RedirectTable) {
    this.#redirects = redirects;
  }

  /** Everything that matching may look up. */
  want({ key, item, sharedGuid }: FeedItem): void {
    const { guid, enclosure, title } = item;
    const withoutGuid = sourceKeyOf({ ...item, guid: undefined });
    for (const name of [key, sharedGuid, guid, guid?.toLowerCase(), enclosure?.url, withoutGuid]) {
      if (name !== undefined) this.#names.add(name);
    }
    if (enclosure !== undefined) this.#audio.set(audioOf(enclosure.url, this.#redirects), 0);
    const comparable = titleOf(title);
    if (comparable !== undefined) this.#titles.set(comparable, 0);
  }

  add(identity: KnownIdentity): void {
    const { guid, key, audio, title } = identity;
    const isNamed = this.#names.has(guid) || (key !== null && this.#names.has(key));
    const isLikely =
      isNamed || count(this.#audio, audio ?? undefined) || count(this.#titles, titleOf(title));
    if (isLikely) this.found.push(identity);
  }
}

/** Counts a value that is wanted. Returns false if there are enough with it. */
function count(counts: Map<string, number>, value: string | undefined): boolean {
  const before = value === undefined ? undefined : counts.get(value);
  if (value === undefined || before === undefined || before >= enough) return false;
  counts.set(value, before + 1);
  return true;
}
