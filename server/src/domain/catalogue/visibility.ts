import { DomainError, notFound } from '../errors.ts';
import type { PodcastStatus } from '../podcasts/index.ts';

/** Where the public meets a show. oEmbed is a page: it describes one. */
export type Surface = 'api' | 'page' | 'oembed' | 'feed' | 'file';

/**
 * open: as it is. hidden: as if it did not exist. withheld: there, but refused politely.
 * frozen: as it stood when the show was paused. moved: permanently elsewhere.
 */
export type Visibility = 'open' | 'hidden' | 'withheld' | 'frozen' | 'moved';

const visibility: Readonly<Record<PodcastStatus, Readonly<Record<Surface, Visibility>>>> = {
  draft: { api: 'hidden', page: 'hidden', oembed: 'hidden', feed: 'hidden', file: 'hidden' },
  active: { api: 'open', page: 'open', oembed: 'open', feed: 'open', file: 'open' },
  paused: { api: 'hidden', page: 'hidden', oembed: 'hidden', feed: 'frozen', file: 'open' },
  overage_suspended: {
    api: 'withheld',
    page: 'withheld',
    oembed: 'hidden',
    feed: 'open',
    file: 'withheld',
  },
  moved: { api: 'open', page: 'open', oembed: 'open', feed: 'moved', file: 'open' },
};

/** The state of a show as the table needs it. */
export interface ShowState {
  readonly status: PodcastStatus;
  readonly statusBeforeSuspension: PodcastStatus | null;
}

/** A suspension only takes away: what was hidden, frozen or moved before it stays so. */
export function visibilityOf(
  { status, statusBeforeSuspension }: ShowState,
  surface: Surface,
): Visibility {
  const seen = visibility[status][surface];
  const before = visibility[statusBeforeSuspension ?? status][surface];
  return before === 'hidden' || seen === 'open' ? before : seen;
}

/** Throws what the surface owes its reader where the show is not to be seen there. */
export function requireVisible(show: ShowState, surface: Surface, what: string): void {
  const seen = visibilityOf(show, surface);
  if (seen === 'hidden') throw notFound(what);
  if (seen === 'withheld') {
    throw new DomainError('unavailable', 'This show is not available at the moment.');
  }
}
