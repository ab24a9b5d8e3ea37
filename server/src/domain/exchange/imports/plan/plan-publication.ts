import type { KnownItem } from '../match/known-identities.sql.ts';

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
  const at = item.date ?? guessOf(item, now);
  return item.isWaitingForAudio ? { kind: 'wait', at } : whenDue(at, now);
}

/** A guess never schedules an episode, or it would disappear until then. */
function guessOf({ dateOrGuess }: DatesOfItem, now: Date): Date | undefined {
  return dateOrGuess !== undefined && dateOrGuess > now ? now : dateOrGuess;
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
    return whenDue(item.date ?? known.intendedPublishedAt ?? guessOf(item, now), now);
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
