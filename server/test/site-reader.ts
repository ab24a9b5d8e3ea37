import {
  listChanges,
  type SiteChange,
  type SiteEpisode,
  type TombstoneReason,
} from '../src/domain/exchange/sites/index.ts';
import type { Context } from '../src/domain/foundation/context.ts';

interface Held {
  readonly podcastId: string;
  readonly episode: SiteEpisode;
  readonly contentHash: string;
}

interface Ended {
  readonly podcastId: string;
  readonly reason: TombstoneReason;
}

/**
 * A plugin that keeps a copy of the episodes in its feed. Throws if a change has a lower number
 * than an earlier one.
 */
export class SiteReader {
  readonly #ctx: Context;
  readonly siteId: string;
  /** The position from which it continues. */
  position = 0;
  /** The content of its site, by episode. */
  readonly held = new Map<string, Held>();
  /** Why episodes were removed, by episode. */
  readonly ended = new Map<string, Ended>();
  /** All changes that it has read. */
  readonly seen: SiteChange[] = [];

  constructor(site: { readonly ctx: Context; readonly siteId: string }) {
    this.#ctx = site.ctx;
    this.siteId = site.siteId;
  }

  /** Begins at 0 again, with an empty copy. */
  restart(): void {
    this.position = 0;
    this.held.clear();
    this.ended.clear();
  }

  /** Applies one page; resolves to its changes. */
  async read(limit = 100): Promise<readonly SiteChange[]> {
    const after = this.position;
    const { cursor, changes } = await listChanges(this.#ctx, this.siteId, { after, limit });
    let last = after;
    for (const change of changes) {
      if (change.seq <= last) throw new Error(`${change.seq} comes after ${last}`);
      last = change.seq;
      this.#apply(change);
    }
    if (cursor !== last) throw new Error(`the cursor is ${cursor}, the last change ${last}`);
    if (changes.length > limit) throw new Error(`${changes.length} changes on a page of ${limit}`);
    this.position = cursor;
    return changes;
  }

  /** Reads until a page is empty; resolves to all changes. */
  async catchUp(limit = 100): Promise<readonly SiteChange[]> {
    const from = this.seen.length;
    while ((await this.read(limit)).length > 0);
    return this.seen.slice(from);
  }

  #apply(change: SiteChange): void {
    this.seen.push(change);
    const { episodeId, podcastId } = change;
    if (change.contentHash === null) {
      this.held.delete(episodeId);
      this.ended.set(episodeId, { podcastId, reason: change.reason });
    } else {
      const { episode, contentHash } = change;
      this.held.set(episodeId, { podcastId, episode, contentHash });
      this.ended.delete(episodeId);
    }
  }
}
