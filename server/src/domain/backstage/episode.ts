import type { ImageRef, PublicAudio } from '../catalogue/index.ts';
import type { EpisodeStatus, EpisodeType } from '../episodes/index.ts';

/** One page of a list, and where the next begins; undefined on the last one. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  readonly next: Position | undefined;
}

/** One row more than asked for tells whether another page follows. */
export function toPage<Item, Position>(
  rows: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, next: more ? positionOf(last) : undefined };
}

/** As of the moment of reading. Holds no address of a file, and of its origin only fingerprints. */
export interface BackstageEpisode {
  readonly id: string;
  readonly podcastId: string;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly status: EpisodeStatus;
  readonly season: number | null;
  readonly episodeNumber: number;
  readonly episodeType: EpisodeType;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly createdAt: Date;
  /** Null before there is audio whose length is known. */
  readonly durationMs: number | null;
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  readonly rssGuid: string | null;
}

export interface BackstageEpisodeDetail extends BackstageEpisode {
  readonly explicit: boolean;
  readonly description: string;
  readonly showNotes: string | null;
  readonly showNotesHtml: string | null;
  /** Nothing of it before the world can have it too. */
  readonly media: {
    readonly audio: PublicAudio | null;
    readonly artwork: Pick<ImageRef, 'id' | 'contentType'> | null;
    readonly hasChapters: boolean;
    readonly hasTranscript: boolean;
  };
}

export interface ShowNotes {
  readonly showNotes: string | null;
  readonly showNotesHtml: string | null;
  readonly updatedAt: Date;
}

/**
 * Where a page ends, by (listedAt, id) descending. An episode that was given its date since the
 * first page was read has moved, perhaps from a page already shown: the pages after leave it out.
 */
export interface EpisodeListPosition {
  readonly listedAt: Date;
  readonly id: string;
  /** When the first page was read. */
  readonly begunAt: Date;
}
