import type { FeedProblem, ParsedFeed, ParsedItem } from './feed/parsed-feed.ts';
import type { ItemProblem } from './import-report.ts';
import { refOf } from './item-draft.ts';
import { sourceKeyOf } from './source-key.ts';

/** An item of the feed, told from all others. */
export interface FeedItem {
  readonly key: string;
  readonly item: ParsedItem;
  /** Of the item, else of its older neighbour in the feed. */
  readonly date: Date | undefined;
}

export interface ItemList {
  /** Oldest first: so an episode without a number gets the one its listeners would give it. */
  readonly items: readonly FeedItem[];
  /** What is in the feed, and not among the items. */
  readonly leftOut: readonly ItemProblem[];
  /** What is, with something missing. */
  readonly flawed: readonly ItemProblem[];
}

/** All pages of a feed as one list. Of items that cannot be told apart the first counts. */
export function listItems(pages: readonly ParsedFeed[]): ItemList {
  const items = new Map<string, ParsedItem>();
  const leftOut: ItemProblem[] = [];
  const flawed: ItemProblem[] = [];
  for (const page of pages) {
    for (const problem of page.problems) {
      (problem.leftOut ? leftOut : flawed).push(toItemProblem(problem));
    }
    for (const item of page.items) {
      const key = sourceKeyOf(item);
      if (items.has(key)) leftOut.push(duplicateOf(item));
      else items.set(key, item);
    }
  }
  return { items: orderByAge(items), leftOut, flawed };
}

function orderByAge(items: ReadonlyMap<string, ParsedItem>): FeedItem[] {
  let date: Date | undefined;
  // Feeds begin with the newest. Sorting keeps that order where dates do not tell.
  const dated = [...items].reverse().map(([key, item]) => {
    date = item.publishedAt ?? date;
    return { key, item, date };
  });
  return dated.sort((one, other) => ageOf(one) - ageOf(other));
}

function ageOf({ date }: FeedItem): number {
  return date?.getTime() ?? Number.MIN_SAFE_INTEGER;
}

function toItemProblem(problem: FeedProblem): ItemProblem {
  const { reason, message } = problem;
  return { ...refOf(problem), reason, message };
}

function duplicateOf(item: ParsedItem): ItemProblem {
  return item.guid === undefined
    ? { ...refOf(item), reason: 'duplicate_item', message: 'An item like it came before it.' }
    : { ...refOf(item), reason: 'duplicate_guid', message: 'An item before it has the same GUID.' };
}
