import type { ItemEnd } from './feed-document.ts';
import type { FeedElement } from './feed-element.ts';
import { cutText } from './field-text.ts';
import type { FeedProblem, ParsedItem } from './parsed-feed.ts';
import { type ItemFlaw, type ItemSurroundings, readItem } from './read-item.ts';
import { unescapeItem } from './unescape-lines.ts';

const REPORTED_CHARS = 500;

/** Reads each item when it ends, and collects the problems of items. */
export class ItemCollector {
  readonly items: ParsedItem[] = [];
  readonly problems: FeedProblem[] = [];
  #position = 0;

  add(element: FeedElement, end: ItemEnd, surroundings: ItemSurroundings): void {
    const position = this.#position++;
    const { item: read, guid, flaws } = readItem(element, position, surroundings);
    const item = surroundings.isOurs ? read : unescapeItem(read);
    const { title } = item;
    const fault = this.#findFault(item, end);
    const reportedGuid = guid === undefined ? undefined : cutText(guid, REPORTED_CHARS);
    for (const flaw of fault === undefined ? flaws : [fault]) {
      const leftOut = fault !== undefined;
      this.problems.push({ position, guid: reportedGuid, title, ...flaw, leftOut });
    }
    if (fault !== undefined) return;
    this.items.push(item);
  }

  /** Why the item is left out; undefined if it is not. */
  #findFault(item: ParsedItem, end: ItemEnd): ItemFlaw | undefined {
    if (end === 'too_large') {
      return { reason: 'too_large', message: 'It is larger than an item may be.' };
    }
    if (end === 'cut_off') {
      return { reason: 'cut_off', message: 'The feed ends in the middle of it.' };
    }
    if (item.title === undefined && item.enclosure === undefined) {
      return { reason: 'empty', message: 'It has neither a title nor an enclosure.' };
    }
    return undefined;
  }
}
