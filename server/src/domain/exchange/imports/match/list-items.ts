import { createYielder, mapInSlices, sortInSlices } from '../../../../lib/time-slices.ts';
import type { RedirectTable } from '../../../foundation/context.ts';
import { fingerprintEnclosure } from '../../../foundation/provenance/index.ts';
import { refOf } from '../read/item-texts.ts';
import type { ItemHead } from '../read/packed-items.ts';
import type { ReadFeed } from '../read/read-feed.ts';
import type { ItemProblem } from '../report/import-report.ts';
import { ProblemList } from '../report/problem-list.ts';
import { sourceKeyOf } from './source-key.ts';

/** An item of the feed, distinguished from all others. */
export interface FeedItem {
  readonly key: string;
  readonly item: ItemHead;
  /** The item's date, else that of its older neighbor in the feed. */
  readonly date: Date | undefined;
  /** The GUID it shares with another item; this one is identified by its enclosure's URL. */
  readonly sharedGuid?: string | undefined;
}

export interface ItemList {
  /** Oldest first, so that episodes without a number get the expected one. */
  readonly items: readonly FeedItem[];
  readonly problems: ProblemList;
}

/**
 * The items of a feed. Of indistinguishable items, the first counts. Items with the
 * same GUID but different audio are different. Yields to other tasks.
 */
export async function listItems(
  feed: Pick<ReadFeed, 'items' | 'problems'>,
  redirects?: RedirectTable,
): Promise<ItemList> {
  const listing = new Listing(redirects);
  listing.problems.addAll(feed.problems);
  const maybeYield = createYielder();
  for (const item of feed.items) {
    listing.addItem(item);
    await maybeYield();
  }
  return await listing.finish();
}

type Listed = Omit<FeedItem, 'date'>;

class Listing {
  readonly #items = new Map<string, Listed>();
  readonly problems = new ProblemList();
  readonly #redirects: RedirectTable | undefined;

  constructor(redirects: RedirectTable | undefined) {
    this.#redirects = redirects;
  }

  addItem(item: ItemHead): void {
    const key = sourceKeyOf(item);
    const same = this.#items.get(key)?.item;
    if (same === undefined) this.#items.set(key, { key, item });
    else if (this.#isAnother(item, same)) this.#addShared(item);
    else this.problems.add(true, () => duplicateOf(item));
  }

  async finish(): Promise<ItemList> {
    const items = await orderByAge([...this.#items.values()]);
    return { items, problems: this.problems };
  }

  #addShared(item: ItemHead): void {
    const without = { ...item, guid: undefined };
    const key = sourceKeyOf(without);
    if (this.#items.has(key)) {
      this.problems.add(true, () => duplicateOf(item));
      return;
    }
    this.#items.set(key, { key, item: without, sharedGuid: item.guid });
    const message =
      'An earlier item has the same GUID but other audio. This item is identified by the URL of its audio.';
    this.problems.add(false, () => ({ ...refOf(item), reason: 'shared_guid', message }));
  }

  #isAnother(item: ItemHead, other: ItemHead): boolean {
    const [url, otherUrl] = [item.enclosure?.url, other.enclosure?.url];
    if (item.guid === undefined || url === undefined || otherUrl === undefined) return false;
    if (audioOf(url, this.#redirects) !== audioOf(otherUrl, this.#redirects)) return true;
    // A different query may mean another file, or another token for the same file.
    const isOtherQuery = URL.parse(url)?.search !== URL.parse(otherUrl)?.search;
    return isOtherQuery && item.title !== other.title;
  }
}

/** The same for all URLs of one file that differ only in measurement prefixes and queries. */
export function audioOf(url: string, redirects?: RedirectTable): string {
  return fingerprintEnclosure(url, redirects) ?? url;
}

async function orderByAge(items: readonly Listed[]): Promise<FeedItem[]> {
  let date: Date | undefined;
  // Feeds are newest first. A stable sort keeps that order if dates are equal or missing.
  const dated = await mapInSlices(items.toReversed(), (listed) => {
    date = listed.item.publishedAt ?? date;
    return { ...listed, date };
  });
  return await sortInSlices(dated, (one, other) => ageOf(one) - ageOf(other));
}

function ageOf({ date }: FeedItem): number {
  return date?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

function duplicateOf(item: ItemHead): ItemProblem {
  return item.guid === undefined
    ? { ...refOf(item), reason: 'duplicate_item', message: 'An earlier item is identical.' }
    : { ...refOf(item), reason: 'duplicate_guid', message: 'An earlier item has the same GUID.' };
}
