import type { KnownItem } from './known-items.sql.ts';

/** `wait`: until the audio is stored, with the date for then. */
export type Publication =
  | { readonly kind: 'wait' | 'publish'; readonly at: Date | undefined }
  | { readonly kind: 'schedule'; readonly at: Date };

export interface DatesOfItem {
  /** From the feed. */
  readonly date: Date | undefined;
  /** The same, else that of neighboring items. */
  readonly dateOrGuess: Date | undefined;
  readonly isWaitingForAudio: boolean;
}

/** The publication of a new item. */
export function planFirstPublication(item: DatesOfItem, now: Date): Publication {
  if (item.isWaitingForAudio) return { kind: 'wait', at: item.dateOrGuess };
  return whenDue(item.dateOrGuess, now);
}

/**
 * What a feed changes in an existing episode's publication. Changes made here stay: the feed only
 * ends a wait and corrects dates.
 */
export function planPublication(
  known: Pick<KnownItem, 'status' | 'publishedAt' | 'intendedPublishedAt' | 'scheduledFor'>,
  item: DatesOfItem,
  now: Date,
): Publication | undefined {
  if (known.status === 'pending_confirmation') {
    if (item.isWaitingForAudio) return undefined;
    return whenDue(item.date ?? known.intendedPublishedAt ?? item.dateOrGuess, now);
  }
  const next = item.date && whenDue(item.date, now);
  const current = known.status === 'published' ? known.publishedAt : known.scheduledFor;
  if (next?.at === undefined || current === null) return undefined;
  if (current.getTime() === next.at.getTime()) return undefined;
  // A published episode stays published.
  return known.status === 'published' && next.kind === 'schedule' ? undefined : next;
}

/** Schedules future dates. */
export function whenDue(date: Date | undefined, now: Date): Publication {
  if (date === undefined || date <= now) return { kind: 'publish', at: date };
  return { kind: 'schedule', at: date };
}
