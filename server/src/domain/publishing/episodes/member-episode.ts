import type { EpisodeStatus, EpisodeType } from '../../foundation/enumerations.ts';
import type { PublicAudio } from './episode.ts';

/**
 * An episode as its members see it, at the moment of reading. It has no address of a file, and only
 * fingerprints of its origin.
 */
export interface MemberEpisode {
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
  /** Null until there is audio of known length. */
  readonly durationMs: number | null;
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  readonly rssGuid: string | null;
}

export interface MemberEpisodeDetail extends MemberEpisode {
  readonly explicit: boolean;
  readonly description: string;
  readonly showNotes: string | null;
  readonly showNotesHtml: string | null;
  /** All null or false until the public can have the files too. */
  readonly media: {
    readonly audio: PublicAudio | null;
    readonly artwork: { readonly id: string; readonly contentType: string } | null;
    readonly hasChapters: boolean;
    /** Of the published transcript; null if there is none. */
    readonly transcriptHasTimes: boolean | null;
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
  /** How many moves the show had counted when the first page was read (decision 0016). */
  readonly moves: number;
}

export interface EpisodeListQuery {
  readonly podcastId: string;
  /** Filters by the status at this moment: a due episode is published. */
  readonly status: EpisodeStatus | undefined;
  readonly after: EpisodeListPosition | undefined;
  readonly limit: number;
}
