import type { KnownItem } from './known-items.sql.ts';

/** `wait`: until the audio is in place, with the date for then. */
export type Publication =
  | { readonly kind: 'wait' | 'publish'; readonly at: Date | undefined }
  | { readonly kind: 'schedule'; readonly at: Date };

export interface DatesOfItem {
  /** What the feed says. */
  readonly date: Date | undefined;
  /** The same, or where the feed says nothing what its neighbours say. */
  readonly dateOrGuess: Date | undefined;
  readonly isWaitingForAudio: boolean;
}

/** How an item comes out that is not here yet. */
export function planFirstPublication(item: DatesOfItem, now: Date): Publication {
  if (item.isWaitingForAudio) return { kind: 'wait', at: item.dateOrGuess };
  return whenDue(item.dateOrGuess, now);
}

/**
 * What a feed changes in the publication of an episode that is here. What its makers have done with
 * it stays: the feed ends a wait, and corrects dates.
 */
export function planPublication(
  known: Pick<KnownItem, 'status' | 'publishedAt' | 'scheduledFor'>,
  item: DatesOfItem,
  now: Date,
): Publication | undefined {
  if (known.status === 'pending_confirmation') {
    if (item.isWaitingForAudio) return undefined;
    return whenDue(item.date ?? known.publishedAt ?? item.dateOrGuess, now);
  }
  const next = item.date && whenDue(item.date, now);
  const current = known.status === 'published' ? known.publishedAt : known.scheduledFor;
  if (next?.at === undefined || current === null) return undefined;
  if (current.getTime() === next.at.getTime()) return undefined;
  // What is out is out.
  return known.status === 'published' && next.kind === 'schedule' ? undefined : next;
}

/** Something dated in the future comes out then. */
export function whenDue(date: Date | undefined, now: Date): Publication {
  if (date === undefined || date <= now) return { kind: 'publish', at: date };
  return { kind: 'schedule', at: date };
}
