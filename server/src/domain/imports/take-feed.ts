import { rm } from 'node:fs/promises';
import type { Context } from '../context.ts';
import type { ParsedFeed, ParsedPodcast } from './feed/parsed-feed.ts';
import type { ImportLimits } from './import-limits.ts';
import type { ImportProgress, ImportWarning } from './import-report.ts';
import { refuseImport, toImportRefusal } from './refuse-import.ts';
import { type FeedSource, type TakenDocument, takeDocument } from './take-document.ts';

/** A whole feed, in local files that go when it is disposed of. */
export interface TakenFeed extends AsyncDisposable {
  readonly documents: readonly TakenDocument[];
  readonly pages: readonly ParsedFeed[];
  readonly channel: ParsedPodcast;
  /** Where it is to be looked for from now on; undefined for a file. */
  readonly url: string | undefined;
  /** Every address it was met under, the one asked for first. */
  readonly urls: readonly string[];
  readonly warnings: readonly ImportWarning[];
}

export interface TakeOptions {
  readonly limits: ImportLimits;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/**
 * Fetches a feed, follows it once where it says it has moved to, and then through its pages. Throws
 * the refusal of an import (feed_locked too); a later page that cannot be had is a warning.
 */
export async function takeFeed(
  ctx: Context,
  source: FeedSource,
  options: TakeOptions,
): Promise<TakenFeed> {
  const taking = new FeedTaking(ctx, options);
  try {
    await taking.takeFirst(source);
    await taking.takePages();
    return taking.finish();
  } catch (error) {
    await taking.discard();
    throw toImportRefusal(error);
  }
}

class FeedTaking {
  readonly #ctx: Context;
  readonly #options: TakeOptions;
  readonly #documents: TakenDocument[] = [];
  readonly #warnings: ImportWarning[] = [];
  readonly #urls: string[] = [];
  #leftBytes: number;

  constructor(ctx: Context, options: TakeOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#leftBytes = options.limits.feedBytes;
  }

  async takeFirst(source: FeedSource): Promise<void> {
    const first = await this.#take(source);
    this.#documents.push(first);
    const moved = first.feed.podcast.newFeedUrl;
    if (moved !== undefined && !this.#isKnown(moved)) await this.#follow(moved, first);
    refuseLocked(this.#first.feed.podcast);
  }

  async takePages(): Promise<void> {
    for (;;) {
      const next = this.#documents.at(-1)?.feed.podcast.nextPageUrl;
      if (next === undefined || this.#isKnown(next)) return;
      if (this.#documents.length >= this.#options.limits.feedPages) {
        return this.#warn('too_many_pages', 'The feed has more pages than are read.');
      }
      try {
        this.#documents.push(await this.#take({ url: next }));
      } catch (error) {
        this.#explain('page_unreachable', 'A page of the feed with older episodes', error);
        return;
      }
    }
  }

  finish(): TakenFeed {
    const pages = this.#documents.map(({ feed }) => feed);
    if (pages.some(({ truncated }) => truncated)) {
      this.#warn('feed_truncated', 'The feed ends in its middle: episodes may be missing.');
    }
    return {
      documents: this.#documents,
      pages,
      channel: this.#first.feed.podcast,
      url: this.#first.address?.permanent,
      urls: this.#urls,
      warnings: this.#warnings,
      [Symbol.asyncDispose]: () => this.discard(),
    };
  }

  async discard(): Promise<void> {
    for (const { path } of this.#documents) await rm(path, { force: true });
  }

  get #first(): TakenDocument {
    const [first] = this.#documents;
    if (first === undefined) throw new Error('no document has been taken yet');
    return first;
  }

  /** The feed is where it says it is, unless there is none; said, so that nobody is surprised. */
  async #follow(url: string, from: TakenDocument): Promise<void> {
    if (url.startsWith(`${this.#ctx.installation.baseUrl}/`)) {
      return this.#warn('feed_moved', 'The feed says that the show has moved here already.');
    }
    if (from.address === undefined) {
      return this.#warn('feed_moved', `The file says that the feed has moved to ${hostOf(url)}.`);
    }
    try {
      const there = await this.#take({ url });
      this.#documents.splice(0, 1, there);
      await rm(from.path, { force: true });
      this.#warn('feed_moved', `The feed has moved to ${hostOf(url)}, and was followed there.`);
    } catch (error) {
      this.#explain('feed_moved', `The feed has moved to ${hostOf(url)}, which`, error);
    }
  }

  async #take(source: FeedSource): Promise<TakenDocument> {
    const { limits, signal, onProgress } = this.#options;
    onProgress?.({ phase: 'feed', done: this.#documents.length, total: undefined });
    // Even of one that fails: it is not to be asked again.
    if ('url' in source) this.#urls.push(source.url);
    const feedBytes = Math.max(1, this.#leftBytes);
    const taken = await takeDocument(this.#ctx, source, { ...limits, feedBytes }, signal);
    this.#leftBytes -= taken.sizeBytes;
    const { final, permanent } = taken.address ?? {};
    for (const url of [final, permanent]) if (url !== undefined) this.#urls.push(url);
    return taken;
  }

  #isKnown(url: string): boolean {
    const wanted = comparable(url);
    return this.#urls.some((known) => comparable(known) === wanted);
  }

  #explain(reason: string, what: string, error: unknown): void {
    this.#options.signal?.throwIfAborted();
    const refusal = toImportRefusal(error);
    if (refusal === error || !(refusal instanceof Error)) throw error;
    this.#warn(reason, `${what} could not be read. ${refusal.message}`);
  }

  #warn(reason: string, message: string): void {
    this.#warnings.push({ guid: null, title: null, reason, message });
  }
}

function refuseLocked(channel: ParsedPodcast): void {
  if (channel.locked?.locked !== true) return;
  throw refuseImport(
    'feed_locked',
    'The feed is locked (podcast:locked): its owner has to unlock it where it is hosted now, ' +
      'and wait until the feed says so; then import it again.',
  );
}

/** Scheme, `www.` and a slash at the end make no other feed. */
function comparable(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? 'another address';
}
