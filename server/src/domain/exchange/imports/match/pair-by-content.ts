import { createYielder } from '../../../../lib/time-slices.ts';
import type { KnownIdentity } from './known-identities.sql.ts';
import type { FeedItem } from './list-items.ts';

type Pair = readonly [FeedItem, KnownIdentity];

const dayMs = 24 * 3600 * 1000;

/**
 * Pairs items with episodes that have another GUID: by the same audio, or by the same title and
 * day. Values that several items or episodes share prove nothing. Because audio may be repeated
 * years later, one more property must match, unless all GUIDs are new. Yields to other tasks.
 */
export async function pairByContent(
  items: readonly FeedItem[],
  known: readonly KnownIdentity[],
  options: {
    readonly isAllNew: boolean;
    /** Pairs to skip. */
    readonly isPaired: (one: FeedItem | KnownIdentity) => boolean;
    readonly audioOf: (entry: FeedItem) => string | undefined;
  },
): Promise<Pair[]> {
  const { isAllNew, isPaired, audioOf } = options;
  const byAudio = await pairBy(items, known, {
    isPaired,
    nameItem: audioOf,
    nameKnown: ({ audio }) => audio ?? undefined,
    mayPair: (entry, identity) =>
      isAllNew || isSameTitle(entry, identity) || isSameDay(entry, identity),
  });
  const paired = new Set<unknown>();
  const maybeYield = createYielder();
  for (const [entry, identity] of byAudio) {
    paired.add(entry).add(identity);
    await maybeYield();
  }
  const byTitle = await pairBy(items, known, {
    isPaired: (one) => paired.has(one) || isPaired(one),
    nameItem: ({ item }) => titleOf(item.title),
    nameKnown: ({ title }) => titleOf(title),
    mayPair: isSameDay,
  });
  return [...byAudio, ...byTitle];
}

async function pairBy(
  items: readonly FeedItem[],
  known: readonly KnownIdentity[],
  rules: {
    readonly isPaired: (one: FeedItem | KnownIdentity) => boolean;
    readonly nameItem: (entry: FeedItem) => string | undefined;
    readonly nameKnown: (identity: KnownIdentity) => string | undefined;
    readonly mayPair: (entry: FeedItem, identity: KnownIdentity) => boolean;
  },
): Promise<Pair[]> {
  const here = await uniqueBy(known, rules.isPaired, rules.nameKnown);
  const pairs: Pair[] = [];
  const maybeYield = createYielder();
  for (const [name, entry] of await uniqueBy(items, rules.isPaired, rules.nameItem)) {
    const identity = here.get(name);
    if (identity !== undefined && rules.mayPair(entry, identity)) pairs.push([entry, identity]);
    await maybeYield();
  }
  return pairs;
}

async function uniqueBy<T>(
  list: readonly T[],
  isPaired: (one: T) => boolean,
  nameOf: (one: T) => string | undefined,
): Promise<Map<string, T>> {
  const unique = new Map<string, T>();
  const several = new Set<string>();
  const maybeYield = createYielder();
  for (const one of list) {
    await maybeYield();
    const name = isPaired(one) ? undefined : nameOf(one);
    if (name === undefined) continue;
    if (unique.has(name)) several.add(name);
    unique.set(name, one);
  }
  for (const name of several) unique.delete(name);
  return unique;
}

/** Ignores case and spaces. */
export function titleOf(title: string | null | undefined): string | undefined {
  return title?.trim().toLowerCase().split(/\s+/).join(' ') || undefined;
}

function isSameTitle({ item }: FeedItem, { title }: KnownIdentity): boolean {
  return title !== null && titleOf(item.title) === titleOf(title);
}

function isSameDay({ item }: FeedItem, { date }: KnownIdentity): boolean {
  if (item.publishedAt === undefined || date === null) return false;
  return Math.abs(item.publishedAt.getTime() - date.getTime()) < dayMs;
}
