import type { SiteEpisode } from './site-episode.ts';

/**
 * unpublished: it may come back. deleted: it does not. show_removed: the site may not read it any
 * more.
 */
export const tombstoneReasons = ['unpublished', 'deleted', 'show_removed'] as const;
export type TombstoneReason = (typeof tombstoneReasons)[number];

interface Change {
  /** Each change has a higher one than the changes before it. */
  readonly seq: number;
  readonly episodeId: string;
  readonly podcastId: string;
  readonly changedAt: Date;
}

/** Show the episode like this. */
export interface Upsert extends Change {
  readonly contentHash: string;
  readonly episode: SiteEpisode;
}

/** Stop showing the episode. */
export interface Tombstone extends Change {
  readonly contentHash: null;
  readonly reason: TombstoneReason;
}

export type SiteChange = Upsert | Tombstone;

export interface SiteChangePage {
  /** The number of the last change; if there are none, the requested position. */
  readonly cursor: number;
  readonly changes: readonly SiteChange[];
}
