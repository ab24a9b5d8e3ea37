import { createYielder } from '../../../../lib/time-slices.ts';
import { ProblemList, type Problems } from '../report/problem-list.ts';
import type { ParsedFeed, ParsedPodcast, UnreadElement } from './feed/parsed-feed.ts';
import type { ItemMemory, TakeOptions } from './item-memory.ts';
import type { ItemSpool, SpooledPart } from './item-spool.ts';
import type { ReadItem } from './item-texts.ts';
import { type HeadsOfItems, type ItemHead, unpackHeads, unpackItem } from './packed-items.ts';

/** A page of a feed, whose items are in the spool. */
export interface ReadPage extends Omit<ParsedFeed, 'items' | 'problems'> {
  readonly parts: readonly SpooledPart[];
  readonly heldBytes: number;
  readonly hasAudio: boolean;
}

/** What a later page says about the show is not used, and may be large. */
export function withShowOf(first: ReadPage | undefined, page: ReadPage): ReadPage {
  return first === undefined ? page : { ...page, podcast: first.podcast };
}

const batchBytes = 256 * 1024;

interface LoadOptions extends TakeOptions {
  readonly memory: ItemMemory;
}

/** All pages of a feed. In memory is what its items are matched by, and the rest in the spool. */
export class ReadFeed implements AsyncDisposable {
  /** Of the first page, which defines the show. */
  readonly podcast: ParsedPodcast;
  readonly unread: readonly UnreadElement[];
  readonly #pages: readonly ReadPage[];
  readonly #spool: ItemSpool;
  readonly #items: ItemHead[] = [];
  #problems = new ProblemList();
  #memory: Disposable | undefined;

  /** From now on, the feed closes the spool. */
  constructor(pages: readonly ReadPage[], spool: ItemSpool) {
    const [first] = pages;
    if (first === undefined) throw new Error('a feed has a page');
    this.podcast = first.podcast;
    this.unread = pages.flatMap(({ unread }) => unread);
    this.#pages = pages;
    this.#spool = spool;
  }

  /**
   * Waits for the memory that the items need, and loads them. An import of a show does this when no other
   * import of the show runs: one that has the memory never waits for one that needs it.
   */
  async load({ memory, ...options }: LoadOptions): Promise<void> {
    this.#memory = await memory.take(this.#spool.heldBytes, options);
    const maybeYield = createYielder();
    for await (const { heads, problems } of this.parts()) {
      for (const head of heads) this.#items.push(head);
      this.#problems.addAll(problems);
      await maybeYield();
    }
  }

  /**
   * Releases the memory of the items, and the spool, which has nothing more to read. Whoever has some of
   * the items forgets them, too.
   */
  async unload(): Promise<void> {
    this.#items.length = 0;
    this.#problems = new ProblemList();
    this.#memory?.[Symbol.dispose]();
    this.#memory = undefined;
    await this.#spool[Symbol.asyncDispose]();
  }

  /** The items in small parts, none of which stays in memory. */
  async *parts(): AsyncGenerator<HeadsOfItems> {
    for (const { at, itemBytes, headBytes } of this.#pages.flatMap(({ parts }) => parts)) {
      const { heads, problems } = unpackHeads(await this.#spool.read(at + itemBytes, headBytes));
      yield { heads: heads.map((head) => ({ ...head, at: at + head.at })), problems };
    }
  }

  /** In the feed's order. */
  get items(): readonly ItemHead[] {
    this.#requireLoaded();
    return this.#items;
  }

  /** Of all pages, those that a report lists. */
  get problems(): Problems {
    this.#requireLoaded();
    return this.#problems;
  }

  #requireLoaded(): void {
    if (this.#memory === undefined) throw new Error('the items of the feed are not loaded');
  }

  /** The whole item, with its GUID and enclosure as matching has left them. */
  async item({ at, length, guid, enclosure }: ItemHead): Promise<ReadItem> {
    const item = unpackItem(await this.#spool.read(at, length));
    return { ...item, guid, enclosure: enclosure && item.enclosure };
  }

  /** All whole items, one after the other, as the feed has them. */
  async *all(): AsyncGenerator<ReadItem> {
    for (let first = 0; first < this.#items.length; ) {
      const batch = this.#batchFrom(first);
      const [start, end] = [batch[0]?.at ?? 0, endOf(batch.at(-1))];
      const bytes = await this.#spool.read(start, end - start);
      for (const { at, length } of batch) {
        yield unpackItem(bytes.subarray(at - start, at - start + length));
      }
      first += batch.length;
    }
  }

  #batchFrom(first: number): readonly ItemHead[] {
    const start = this.#items[first]?.at ?? 0;
    let end = first + 1;
    while (end < this.#items.length && endOf(this.#items[end]) - start <= batchBytes) end += 1;
    return this.#items.slice(first, end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.unload();
  }
}

const endOf = (head: ItemHead | undefined): number =>
  head === undefined ? 0 : head.at + head.length;
