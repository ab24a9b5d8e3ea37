import { rm } from 'node:fs/promises';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import { isOwnAddress } from '../../../foundation/own-addresses.ts';
import type { ImportLimits } from '../import-limits.ts';
import { describeAddress } from '../plan/describe-parts.ts';
import { toImportRefusal } from '../refuse-import.ts';
import type { ImportProgress, ImportWarning } from '../report/import-report.ts';
import { checkLock, comparable, type LockRules } from './check-lock.ts';
import { FeedError, WebPageError } from './feed/feed-error.ts';
import type { ParsedPodcast } from './feed/parsed-feed.ts';
import { type FeedSource, type FetchedDocument, fetchDocument } from './fetch-document.ts';
import { ImportReader } from './import-reader.ts';
import { ItemSpool } from './item-spool.ts';
import { refuseFeedOfThisService } from './own-feed.ts';
import { ReadFeed, withShowOf } from './read-feed.ts';

/** A whole feed in local files, which are deleted on disposal. */
export interface FetchedFeed extends AsyncDisposable {
  readonly documents: readonly FetchedDocument[];
  readonly content: ReadFeed;
  readonly channel: ParsedPodcast;
  /** The feed's URL from now on; undefined for a file. */
  readonly url: string | undefined;
  /** All URLs under which it was found, the requested one first. */
  readonly urls: readonly string[];
  readonly warnings: readonly ImportWarning[];
}

export interface FetchOptions {
  readonly limits: ImportLimits;
  readonly lock: LockRules;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/**
 * Fetches a feed, follows itunes:new-feed-url once, and then all pages. Throws the refusal of an
 * import (including feed_locked); a later page that fails is a warning.
 */
export async function fetchFeed(
  ctx: Context,
  source: FeedSource,
  options: FetchOptions,
): Promise<FetchedFeed> {
  const spool = await ItemSpool.open(ctx, options.limits);
  const fetching = new FeedFetching(ctx, options, spool);
  try {
    await fetching.fetchFirst(source);
    await fetching.fetchPages();
    return await fetching.finish();
  } catch (error) {
    await fetching.discard();
    throw toImportRefusal(error);
  }
}

/** What the feed says of the show, and its current URL. Of its items, nothing is kept. */
export async function fetchChannel(
  ctx: Context,
  url: string,
  options: FetchOptions,
): Promise<{ readonly channel: ParsedPodcast; readonly url: string | undefined }> {
  const fetching = new FeedFetching(ctx, options, undefined);
  try {
    await fetching.fetchFirst({ url });
    return fetching.channel;
  } catch (error) {
    throw toImportRefusal(error);
  } finally {
    await fetching.discard();
  }
}

/** Most pages name one; blogs also name one of comments. */
const mostNamedFeeds = 3;

class FeedFetching {
  readonly #ctx: Context;
  readonly #options: FetchOptions;
  readonly #documents: FetchedDocument[] = [];
  readonly #warnings: ImportWarning[] = [];
  readonly #urls: string[] = [];
  readonly #spool: ItemSpool | undefined;
  readonly #reader: ImportReader;
  #content: ReadFeed | undefined;
  #leftBytes: number;

  constructor(ctx: Context, options: FetchOptions, spool: ItemSpool | undefined) {
    this.#ctx = ctx;
    this.#options = options;
    this.#spool = spool;
    this.#reader = new ImportReader(ctx, spool, options.signal);
    this.#leftBytes = options.limits.feedBytes;
  }

  async fetchFirst(source: FeedSource): Promise<void> {
    const first = await this.#fetchFeedOf(source);
    this.#documents.push(first);
    const moved = first.feed.podcast.newFeedUrl;
    if (moved !== undefined && !this.#isKnown(moved)) await this.#follow(moved, first);
    const warning = await checkLock(this.#ctx, this.#first, this.#options.lock);
    if (warning !== undefined) this.#warn('lock_ignored', warning);
  }

  async fetchPages(): Promise<void> {
    let next = this.#first.feed.podcast.nextPageUrl;
    while (next !== undefined && !this.#isKnown(next)) {
      if (this.#documents.length >= this.#options.limits.feedPages) {
        return this.#warn('too_many_pages', 'The feed has more pages than an import reads.');
      }
      try {
        const page = await this.#fetch({ url: next });
        next = page.feed.podcast.nextPageUrl;
        this.#documents.push({ ...page, feed: withShowOf(this.#first.feed, page.feed) });
      } catch (error) {
        this.#explain('page_unreachable', 'A page of the feed with older episodes', error);
        return;
      }
    }
  }

  get channel() {
    return { channel: this.#first.feed.podcast, url: this.#first.address?.permanent };
  }

  async finish(): Promise<FetchedFeed> {
    if (this.#spool === undefined) throw new Error('the items were not kept');
    const pages = this.#documents.map(({ feed }) => feed);
    this.#content = new ReadFeed(pages, this.#spool);
    await refuseFeedOfThisService(this.#ctx, this.#content);
    if (pages.some(({ truncated }) => truncated)) {
      this.#warn('feed_truncated', 'The feed is incomplete; episodes may be missing.');
    }
    return {
      documents: this.#documents,
      content: this.#content,
      ...this.channel,
      urls: this.#urls,
      warnings: this.#warnings,
      [Symbol.asyncDispose]: () => this.discard(),
    };
  }

  async discard(): Promise<void> {
    for (const { path } of this.#documents) await rm(path, { force: true });
    await this.#content?.[Symbol.asyncDispose]();
    await this.#spool?.[Symbol.asyncDispose]();
  }

  /** Of another document, which is not used. */
  async #drop({ path, feed }: FetchedDocument): Promise<void> {
    this.#spool?.drop(feed);
    await rm(path, { force: true });
  }

  get #first(): FetchedDocument {
    const [first] = this.#documents;
    if (first === undefined) throw new Error('no document has been fetched yet');
    return first;
  }

  /** The feed at the URL, or the one that the page there names. */
  async #fetchFeedOf(source: FeedSource): Promise<FetchedDocument> {
    try {
      return await this.#fetch(source);
    } catch (error) {
      if (!(error instanceof WebPageError)) throw error;
      // The page may name another feed one day, so its URL is not one of the show's.
      this.#urls.length = 0;
      const found = await this.#fetchNamed(error.feeds);
      if (found === undefined) throw error;
      return found;
    }
  }

  /** The first of the feeds with audio, else the first; undefined if none can be read. */
  async #fetchNamed(feeds: readonly string[]): Promise<FetchedDocument | undefined> {
    const named = feeds.slice(0, mostNamedFeeds);
    let first: FetchedDocument | undefined;
    for (const url of named) {
      const urls = this.#urls.splice(0);
      const document = await this.#tryFetch(url);
      const hasAudio = document?.feed.hasAudio;
      const isBetter = document !== undefined && (first === undefined || hasAudio === true);
      if (!isBetter) this.#urls.splice(0, this.#urls.length, ...urls);
      const worse = isBetter ? first : document;
      if (worse !== undefined) await this.#drop(worse);
      if (isBetter) first = document;
      if (hasAudio === true) break;
    }
    const url = first?.address?.final;
    if (url === undefined) return undefined;
    const others = feeds.length - 1;
    const more = others === 0 ? '' : ` It names ${others} more.`;
    this.#warn(
      'feed_found',
      `This is a web page. Its feed at ${describeAddress(url)} was read.${more}`,
    );
    return first;
  }

  /** Undefined for what is not a feed or cannot be fetched. */
  async #tryFetch(url: string): Promise<FetchedDocument | undefined> {
    try {
      return await this.#fetch({ url });
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof FeedError || error instanceof OutboundError) return undefined;
      throw error;
    }
  }

  /** Uses the feed's new URL, unless it has no feed; reports either. */
  async #follow(url: string, from: FetchedDocument): Promise<void> {
    if (isOwnAddress(this.#ctx.installation, url)) {
      return this.#warn('feed_moved', 'The feed says that the show has already moved here.');
    }
    if (from.address === undefined) {
      return this.#warn('feed_moved', `The file says that the feed has moved to ${hostOf(url)}.`);
    }
    try {
      const before = this.#urls.map(comparable);
      const there = await this.#fetch({ url });
      const back = there.feed.podcast.newFeedUrl;
      if (back !== undefined && before.includes(comparable(back))) {
        await this.#drop(there);
        // Otherwise the URLs of the other feed would count as this show's.
        this.#urls.length = before.length;
        const message = `The feed and the one at ${hostOf(url)} each say that they have moved to the other. The feed was read at its current URL.`;
        return this.#warn('feed_moved', message);
      }
      this.#documents.splice(0, 1, there);
      await this.#drop(from);
      this.#warn('feed_moved', `The feed has moved to ${hostOf(url)} and was read there.`);
    } catch (error) {
      this.#explain('feed_moved', `The feed has moved to ${hostOf(url)}, which`, error);
    }
  }

  async #fetch(source: FeedSource): Promise<FetchedDocument> {
    const { limits, signal, onProgress } = this.#options;
    onProgress?.({ phase: 'feed', done: this.#documents.length, total: undefined });
    // Also after a failure, so that it is not requested again.
    if ('url' in source) this.#urls.push(source.url);
    const feedBytes = Math.max(1, this.#leftBytes);
    const fetched = await fetchDocument(
      this.#ctx,
      source,
      this.#reader,
      { ...limits, feedBytes },
      signal,
    );
    this.#leftBytes -= fetched.sizeBytes;
    const { final, permanent } = fetched.address ?? {};
    for (const url of [final, permanent]) if (url !== undefined) this.#urls.push(url);
    return fetched;
  }

  #isKnown(url: string): boolean {
    const wanted = comparable(url);
    return this.#urls.some((known) => comparable(known) === wanted);
  }

  #explain(reason: string, what: string, error: unknown): void {
    this.#options.signal?.throwIfAborted();
    const refusal = toImportRefusal(error);
    if (!(refusal instanceof DomainError)) throw error;
    this.#warn(reason, `${what} could not be read. ${refusal.message}`);
  }

  #warn(reason: string, message: string): void {
    this.#warnings.push({ guid: null, title: null, reason, message });
  }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? 'another address';
}
