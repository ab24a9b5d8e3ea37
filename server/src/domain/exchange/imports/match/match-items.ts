import { createYielder } from '../../../../lib/time-slices.ts';
import type { Context } from '../../../foundation/context.ts';
import { type ReadItem, refOf } from '../read/item-texts.ts';
import type { ItemRef } from '../report/import-report.ts';
import { type KnownIdentity, readKnownIdentities } from './known-identities.sql.ts';
import { findLikelyIdentities } from './likely-identities.ts';
import { audioOf, type FeedItem, type ItemList } from './list-items.ts';
import { pairByContent } from './pair-by-content.ts';
import { feedGuidOf, sourceKeyOf } from './source-key.ts';

/** An item and its episode here. */
export interface MatchedItem extends FeedItem {
  /** The GUID of the existing or new episode; undefined: the episode's own id. */
  readonly guid: string | undefined;
  /** Undefined for a new item. */
  readonly episodeId: string | undefined;
  /** The id of an episode that was deleted here. */
  readonly deletedId: string | undefined;
}

/** The same with all that the feed says of the item. */
export interface WholeItem extends Omit<MatchedItem, 'item'> {
  readonly item: ReadItem;
}

export interface MatchedList extends Omit<ItemList, 'items'> {
  readonly items: readonly MatchedItem[];
  /** The number of items with a new GUID that were recognized by audio or title. */
  readonly recognized: number;
  /** New items without audio, such as the posts of a blog: they do not become episodes. */
  readonly withoutAudio: readonly ItemRef[];
}

/** Finds the episode of each item: by its identity in the feed, else by audio or title. */
export async function matchItems(
  ctx: Context,
  podcastId: string | undefined,
  list: ItemList,
): Promise<MatchedList> {
  const { redirectTable } = ctx.installation;
  const known =
    podcastId === undefined
      ? []
      : await findLikelyIdentities(
          list.items,
          readKnownIdentities(ctx.db, podcastId),
          redirectTable,
        );
  const match = new Matching(ctx, known);
  await match.index();
  const items = await match.assignSharedGuids(list.items);
  const maybeYield = createYielder();
  for (const entry of items) {
    match.byIdentity(entry);
    await maybeYield();
  }
  const recognized = await match.byLikeness(items);
  const matched: MatchedItem[] = [];
  const withoutAudio: ItemRef[] = [];
  for (const entry of items) {
    if (match.isEpisode(entry)) matched.push(match.describe(entry));
    else withoutAudio.push(refOf(entry.item));
    await maybeYield();
  }
  return { ...list, items: matched, recognized, withoutAudio };
}

class Matching {
  readonly #ctx: Context;
  readonly #known: readonly KnownIdentity[];
  readonly #byKey = new Map<string, KnownIdentity>();
  readonly #byGuid = new Map<string, KnownIdentity>();
  readonly #matches = new Map<FeedItem, KnownIdentity>();
  readonly #taken = new Set<KnownIdentity>();
  /** GUIDs in our feed are unique within a podcast. */
  readonly #guids = new Set<string>();

  constructor(ctx: Context, known: readonly KnownIdentity[]) {
    this.#ctx = ctx;
    this.#known = known;
  }

  /** Call this first. */
  async index(): Promise<void> {
    const maybeYield = createYielder();
    // Existing episodes override deleted ones.
    for (const isDeleted of [true, false]) {
      for (const identity of this.#known) {
        if (identity.isDeleted !== isDeleted) continue;
        if (identity.key !== null) this.#byKey.set(identity.key, identity);
        this.#byGuid.set(identity.guid, identity);
        if (!isDeleted) this.#guids.add(identity.guid);
        await maybeYield();
      }
    }
  }

  /** Of items that share a GUID, the one that had it before keeps it. */
  async assignSharedGuids(items: readonly FeedItem[]): Promise<FeedItem[]> {
    const maybeYield = createYielder();
    const holders = new Map<string, FeedItem>();
    for (const entry of items) {
      holders.set(entry.key, entry);
      await maybeYield();
    }
    const changed = new Map<FeedItem, FeedItem>();
    for (const entry of items) {
      await maybeYield();
      const { sharedGuid } = entry;
      const holder = sharedGuid === undefined ? entry : holders.get(sharedGuid);
      const before = this.#byKey.get(sharedGuid ?? entry.key);
      if (holder === undefined || before === undefined || changed.has(holder)) continue;
      if (sharedGuid === undefined) {
        if (this.#isTheOther(entry, before)) changed.set(entry, withoutGuid(entry));
      } else if (!this.#isAudioOf(holder, before) && this.#isAudioOf(entry, before)) {
        changed.set(holder, withoutGuid(holder));
        changed.set(entry, withGuid(entry, sharedGuid));
      }
    }
    return changed.size === 0 ? [...items] : items.map((entry) => changed.get(entry) ?? entry);
  }

  byIdentity(entry: FeedItem): void {
    const { guid } = entry.item;
    const found =
      this.#byKey.get(entry.key) ??
      (guid && this.#byGuid.get(guid.toLowerCase())) ??
      (guid && this.#byGuid.get(guid));
    if (found && !this.#taken.has(found)) this.#take(entry, found);
  }

  async byLikeness(items: readonly FeedItem[]): Promise<number> {
    if (this.#known.length === this.#taken.size) return 0;
    const pairs = await pairByContent(items, this.#known, {
      isAllNew: this.#matches.size === 0,
      isPaired: (one) =>
        this.#matches.has(one as FeedItem) || this.#taken.has(one as KnownIdentity),
      audioOf: (entry) => this.#audioOf(entry),
    });
    const maybeYield = createYielder();
    for (const [entry, identity] of pairs) {
      this.#take(entry, identity);
      await maybeYield();
    }
    return pairs.length;
  }

  /** What is here already stays, even if the feed no longer has its audio. */
  isEpisode(entry: FeedItem): boolean {
    return entry.item.enclosure !== undefined || this.#matches.has(entry);
  }

  describe(entry: FeedItem): MatchedItem {
    const found = this.#matches.get(entry);
    if (found?.isDeleted === false) {
      return { ...entry, guid: found.guid, episodeId: found.episodeId, deletedId: undefined };
    }
    const wanted = feedGuidOf(entry.item.guid, entry.item.enclosure?.url);
    const isFree = wanted !== undefined && !this.#guids.has(wanted);
    if (isFree) this.#guids.add(wanted);
    const deletedId = found?.episodeId;
    return { ...entry, guid: isFree ? wanted : undefined, episodeId: undefined, deletedId };
  }

  #take(entry: FeedItem, identity: KnownIdentity): void {
    this.#matches.set(entry, identity);
    this.#taken.add(identity);
  }

  /** It was identified by its enclosure's URL before, beside the item that has its GUID. */
  #isTheOther(entry: FeedItem, before: KnownIdentity): boolean {
    if (entry.item.guid === undefined || this.#isAudioOf(entry, before)) return false;
    const other = this.#byKey.get(withoutGuid(entry).key);
    return other !== undefined && other !== before;
  }

  #isAudioOf(entry: FeedItem, { audio }: KnownIdentity): boolean {
    return audio !== null && this.#audioOf(entry) === audio;
  }

  #audioOf({ item }: FeedItem): string | undefined {
    const { redirectTable } = this.#ctx.installation;
    return item.enclosure && audioOf(item.enclosure.url, redirectTable);
  }
}

function withoutGuid(entry: FeedItem): FeedItem {
  const item = { ...entry.item, guid: undefined };
  return { ...entry, item, key: sourceKeyOf(item), sharedGuid: entry.item.guid };
}

function withGuid(entry: FeedItem, guid: string): FeedItem {
  const item = { ...entry.item, guid };
  return { ...entry, item, key: sourceKeyOf(item), sharedGuid: undefined };
}
