import type { HostingType, PodcastStatus } from '../../foundation/enumerations.ts';
import type { EpisodeFields, PublicAudio } from '../../publishing/episodes/index.ts';
import type { PodcastFields } from '../../publishing/podcasts/index.ts';
import type { Chapter } from '../../publishing/transcripts/index.ts';

export interface ImageRef {
  readonly id: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`: the picture's main color, except gray; null if it was not determined. */
  readonly color: string | null;
}

/** A credit as the API and sites show it. */
export interface PublicCredit {
  readonly name: string;
  readonly role: string;
  readonly photo: ImageRef | null;
}

/** A credit as the feed shows it. */
export interface FeedCredit extends PublicCredit {
  readonly group: string;
  readonly linkUrl: string | null;
}

/** A credit as listen and preview pages show it. */
export interface PageCredit extends PublicCredit {
  readonly linkUrl: string | null;
  /** Its first `bioStartChars` characters: a page shows an excerpt. */
  readonly bioStart: string | null;
}

/** A bio may have ten times as many, and a page of episodes has thousands of credits. */
export const bioStartChars = 960;

/** Somebody on the show's roster. Episodes without credits show the roster wherever they are. */
export interface RosterCredit extends FeedCredit, PageCredit {}

/** A show's page in a directory. */
export interface PublicListing {
  readonly directory: string;
  readonly url: string;
}

/** What every public response about a podcast needs; read in one round trip. */
export interface PublicPodcast extends Omit<PodcastFields, 'teamKeys' | 'extraElements'> {
  readonly id: string;
  readonly guid: string;
  /** Its own domain, if that is verified. */
  readonly domain: string | null;
  readonly status: PodcastStatus;
  /** The status before a suspension, which it gets again afterwards. */
  readonly statusBeforeSuspension: PodcastStatus | null;
  readonly pausedAt: Date | null;
  readonly hostingType: HostingType;
  readonly artwork: ImageRef | null;
  /** Behind the title on its page. */
  readonly headerImage: ImageRef | null;
  readonly roster: readonly RosterCredit[];
  /** How often episodes are released, in its makers' words (`podcast:updateFrequency`). */
  readonly releaseSchedule: string | null;
  /** Its pages in directories. */
  readonly listings: readonly PublicListing[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /**
   * When the next scheduled episode is published, or the next element leaves the feed: nothing derived
   * from this may outlive it.
   */
  readonly nextChangeAt: Date | null;
}

/** The fields of an episode that the public sees wherever it sees the episode. */
export const publicEpisodeFields = [
  ...([
    'slug',
    'title',
    'subtitle',
    'description',
    'showNotesHtml',
    'season',
    'seasonName',
  ] as const),
  ...([
    'episodeNumber',
    'episodeDisplay',
    'episodeType',
    'explicit',
    'aiContent',
    'linkUrl',
  ] as const),
] satisfies readonly (keyof EpisodeFields)[];

/** Those that only the feed shows. */
export const feedEpisodeFields = [
  ...(['itunesTitle', 'itunesBlock', 'guidIsPermalink', 'extraElements'] as const),
] satisfies readonly (keyof EpisodeFields)[];

/** How many chapters of an episode are in the feed itself (FEED-11). */
export const feedChapters = 100;

export interface PublicEpisode extends Pick<EpisodeFields, (typeof publicEpisodeFields)[number]> {
  readonly id: string;
  readonly guid: string;
  /** The number if somebody gave one; the feed and pages show no other. */
  readonly givenNumber: number | null;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly audio: PublicAudio | null;
  readonly artwork: ImageRef | null;
  /** The episode's own credits, or the show's roster if it names nobody. */
  readonly people: readonly PublicCredit[];
  /** The language of the published first transcript; null if there is none. */
  readonly transcriptLanguage: string | null;
  /** Of that transcript; true if there is none. */
  readonly transcriptHasTimes: boolean;
  readonly hasChapters: boolean;
}

/** An episode in a list, without its show notes. */
export type ListedEpisode = Omit<PublicEpisode, 'showNotesHtml'>;

/** An episode in a short list on another page. */
export type BriefEpisode = Pick<
  ListedEpisode,
  (typeof briefEpisodeFields)[number] | ('id' | 'givenNumber' | 'publishedAt' | 'audio' | 'artwork')
>;

export const briefEpisodeFields = [
  ...(['slug', 'title', 'season', 'episodeDisplay', 'episodeType', 'explicit'] as const),
] satisfies readonly (keyof EpisodeFields)[];

/** An episode with the fields that only the feed shows. */
export interface FeedEpisode
  extends PublicEpisode,
    Pick<EpisodeFields, (typeof feedEpisodeFields)[number]> {
  readonly people: readonly FeedCredit[];
  /** At most `feedChapters`, with titles, in order of time; null if there are none. */
  readonly chapters: readonly Chapter[] | null;
  /** We hold no copy of its audio. */
  readonly audioIsElsewhere: boolean;
  /** Published transcripts beside the first; null if there are none. */
  readonly furtherTranscripts:
    | readonly { readonly language: string; readonly hasTimes: boolean }[]
    | null;
}

/**
 * An episode with the fields that only single responses show: a list would need a look-up for each.
 */
export interface PublicEpisodeDetail extends PublicEpisode {
  /** True if the loudness of the whole audio is known. */
  readonly hasWaveform: boolean;
}

/** An episode for a page of its own. */
export interface PageEpisode extends PublicEpisode {
  readonly people: readonly PageCredit[];
  /** Its elements that its page shows: posts in the fediverse, and soundbites. */
  readonly elements: EpisodeFields['extraElements'];
}

/** The episode before or after another one. */
export interface NeighbourEpisode {
  readonly slug: string;
  readonly title: string;
}

/** A public episode with what only its page shows. */
export interface EpisodeForPage extends PageEpisode {
  /** By publication; null for the first and the last public episode. */
  readonly previous: NeighbourEpisode | null;
  readonly next: NeighbourEpisode | null;
  /** A few others: of a serial show those after it, if there are any; else the newest first (PAGE-31). */
  readonly others: readonly BriefEpisode[];
}

/** Where a page ends: the next one begins after this, by (publishedAt, id) descending. */
export interface EpisodePosition {
  readonly publishedAt: Date;
  readonly id: string;
}
