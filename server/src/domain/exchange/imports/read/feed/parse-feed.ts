import { decodeReferences, isAllReferences } from './character-references.ts';
import { type ByteDecoder, createByteDecoder } from './decode-bytes.ts';
import { DEFAULT_FEED_LIMITS, type FeedLimits, type ItemEnd } from './feed-document.ts';
import type { FeedElement } from './feed-element.ts';
import { FeedError } from './feed-error.ts';
import { FeedParser } from './feed-parser.ts';
import { cutText, tryParseLine } from './field-text.ts';
import type {
  FeedProblem,
  ParsedFeed,
  ParsedItem,
  ParsedPerson,
  ParsedPodcast,
} from './parsed-feed.ts';
import { type ItemFlaw, type ItemSurroundings, readItem } from './read-item.ts';
import { readChannel } from './read-podcast.ts';

export interface ParseFeedOptions {
  /** The `charset` that came with the document, if any. */
  readonly charset?: string | undefined;
  readonly limits?: Partial<FeedLimits> | undefined;
  /** Where the feed is: enclosures may be relative to it. */
  readonly baseUrl?: string | undefined;
}

/**
 * Reads an RSS feed (2.0, or the older 0.9 and 1.0) piece by piece. Text is used as it is; bytes
 * are decoded. Throws `FeedError` for documents that are not a feed or exceed `limits`.
 */
export class FeedReader {
  readonly #limits: FeedLimits;
  readonly #collector = new ItemCollector();
  readonly #parser: FeedParser;
  readonly #decoder: ByteDecoder;
  #totalBytes = 0;

  constructor(options: ParseFeedOptions = {}) {
    this.#limits = { ...DEFAULT_FEED_LIMITS, ...options.limits };
    this.#parser = new FeedParser(this.#limits, (item, end) => {
      const { unread, isOurs } = this.#parser;
      this.#collector.add(item, end, { unread, isOurs, base: options.baseUrl });
    });
    this.#decoder = createByteDecoder(options.charset);
  }

  /** The feed has ended, even if the source has more. */
  get finished(): boolean {
    return this.#parser.finished;
  }

  write(chunk: Buffer | string): void {
    this.#totalBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const { totalBytes } = this.#limits;
    if (this.#totalBytes > totalBytes) {
      throw new FeedError('too_large', `The feed is larger than ${totalBytes} bytes.`);
    }
    this.#parser.write(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
  }

  /** The items that have ended since the last call. */
  takeItems(): ParsedItem[] {
    return this.#collector.items.splice(0);
  }

  /** The same for problems. */
  takeProblems(): FeedProblem[] {
    return this.#collector.problems.splice(0);
  }

  /**
   * The rest of the result, when everything has been read. Call `takeItems` once more afterwards.
   */
  end(): Omit<ParsedFeed, 'items'> {
    this.#parser.write(this.#decoder.end());
    const { channel, truncated } = this.#parser.end();
    const { unread, isOurs } = this.#parser;
    const read = readChannel(channel, unread);
    const podcast = isOurs ? read : unescapePodcast(read);
    return { podcast, problems: this.#collector.problems, unread: unread.list(), truncated };
  }
}

const REPORTED_CHARS = 500;

/** Reads each item when it ends, and collects the problems of items. */
class ItemCollector {
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
      return { reason: 'too_large', message: 'This item is too large.' };
    }
    if (end === 'cut_off') {
      return { reason: 'cut_off', message: 'The feed ends before this item is complete.' };
    }
    if (item.title === undefined && item.enclosure === undefined) {
      return { reason: 'empty', message: 'It has neither a title nor an enclosure.' };
    }
    return undefined;
  }
}

// Many generators escape texts twice: `It&amp;#8217;s`. What has been read then still has references.
// Our own feeds are never escaped twice, so their texts must not be changed here.

type Item = Pick<ParsedItem, 'title' | 'itunesTitle' | 'subtitle' | 'seasonName'> &
  Pick<ParsedItem, 'people' | 'inlineChapters'>;

/** The item with references resolved once more in texts of one line. */
function unescapeItem<T extends Item>(item: T): T {
  return {
    ...item,
    title: unescapeLine(item.title),
    itunesTitle: unescapeLine(item.itunesTitle),
    subtitle: unescapeLine(item.subtitle),
    seasonName: unescapeLine(item.seasonName),
    people: item.people.map(unescapePerson),
    inlineChapters: item.inlineChapters.map((chapter) => ({
      ...chapter,
      title: unescapeLine(chapter.title),
    })),
  };
}

/** The same for the show. */
function unescapePodcast(podcast: ParsedPodcast): ParsedPodcast {
  return {
    ...podcast,
    title: unescapeLine(podcast.title),
    subtitle: unescapeLine(podcast.subtitle),
    author: unescapeLine(podcast.author),
    copyright: unescapeLine(podcast.copyright),
    ownerName: unescapeLine(podcast.ownerName),
    categories: podcast.categories.map(({ category, subcategory }) => ({
      category: unescapeLine(category),
      subcategory: unescapeLine(subcategory),
    })),
    funding: podcast.funding.map((link) => ({ ...link, text: unescapeLine(link.text) })),
    people: podcast.people.map(unescapePerson),
  };
}

function unescapePerson(person: ParsedPerson): ParsedPerson {
  return { ...person, name: unescapeLine(person.name) };
}

/** A text with an `&` that begins no reference, such as `R&B &amp; soul`, was escaped only once. */
function unescapeLine<T extends string | undefined>(line: T): T {
  if (line === undefined || !isAllReferences(line)) return line;
  return (tryParseLine(decodeReferences(line)) ?? line) as T;
}
