import type { PodcastStatus } from '../../foundation/enumerations.ts';
import { DomainError, notFound } from '../../foundation/errors.ts';

/** The channels by which the public reaches a show. */
export type Channel = 'api' | 'page' | 'oembed' | 'feed' | 'file';

/**
 * open: as it is. hidden: as if it did not exist. resting: not found, but the refusal names the show.
 * withheld: there, but refused politely.
 * frozen: as it stood when the show was paused. moved: permanently elsewhere.
 */
export type Visibility = 'open' | 'hidden' | 'resting' | 'withheld' | 'frozen' | 'moved';

const visibility: Readonly<Record<PodcastStatus, Readonly<Record<Channel, Visibility>>>> = {
  draft: { api: 'hidden', page: 'hidden', oembed: 'hidden', feed: 'hidden', file: 'hidden' },
  active: { api: 'open', page: 'open', oembed: 'open', feed: 'open', file: 'open' },
  paused: { api: 'hidden', page: 'resting', oembed: 'hidden', feed: 'frozen', file: 'open' },
  overage_suspended: {
    api: 'withheld',
    page: 'withheld',
    oembed: 'hidden',
    feed: 'open',
    file: 'withheld',
  },
  moved: { api: 'open', page: 'open', oembed: 'open', feed: 'moved', file: 'open' },
};

/** The state of a show, as the table above uses it. */
export interface PublicPodcastState {
  readonly status: PodcastStatus;
  readonly statusBeforeSuspension: PodcastStatus | null;
}

/** A suspension never reveals anything: what was hidden, frozen or moved before stays so. */
export function visibilityOf(
  { status, statusBeforeSuspension }: PublicPodcastState,
  channel: Channel,
): Visibility {
  const seen = visibility[status][channel];
  const before = visibility[statusBeforeSuspension ?? status][channel];
  if (before === 'resting') return status === 'paused' ? 'resting' : 'hidden';
  return before === 'hidden' || seen === 'open' ? before : seen;
}

/** Throws not_found, paused or unavailable, unless visible. */
export function requireVisible(show: PublicPodcastState, channel: Channel, what: string): void {
  const seen = visibilityOf(show, channel);
  if (seen === 'hidden') throw notFound(what);
  if (seen === 'resting') throw new DomainError('paused', 'This show is taking a break.');
  if (seen === 'withheld') {
    throw new DomainError('unavailable', 'This show is not available right now.');
  }
}
