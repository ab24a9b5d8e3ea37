import type { ImageRef, PublicAudio } from '../catalogue/index.ts';
import type { EpisodeStatus, EpisodeType } from '../episodes/index.ts';

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

/** Where a page ends, by (listedAt, id) descending. */
export interface EpisodeListPosition {
  readonly listedAt: Date;
  readonly id: string;
  /**
   * The newest change of status in the show when the first page was read: what changed after it may
   * have moved (decision 0029).
   */
  readonly changedBy: Date;
}
