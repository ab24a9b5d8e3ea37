import type { EpisodeType } from '../episodes/index.ts';
import type { HostingType, PodcastFields, PodcastStatus } from '../podcasts/index.ts';

export interface ImageRef {
  readonly id: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export interface PublicCredit {
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly linkUrl: string | null;
  readonly bio: string | null;
  readonly photo: ImageRef | null;
}

/** All that public answers about a podcast begin with; read in one round trip. */
export interface Show extends Omit<PodcastFields, 'teamKeys' | 'timezone'> {
  readonly id: string;
  readonly guid: string;
  readonly status: PodcastStatus;
  /** What a suspended show was, and is again afterwards. */
  readonly statusBeforeSuspension: PodcastStatus | null;
  readonly pausedAt: Date | null;
  readonly hostingType: HostingType;
  readonly artwork: ImageRef | null;
  readonly roster: readonly PublicCredit[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the next scheduled episode comes out: nothing derived from this may outlive it. */
  readonly nextPublicationAt: Date | null;
}

export interface PublicAudio {
  /** Ends in the audio's extension, ASCII, fixed for ever; null: its only address is a secret. */
  readonly fileName: string | null;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
}

export interface PublicEpisode {
  readonly id: string;
  readonly slug: string;
  readonly guid: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly description: string;
  readonly showNotesHtml: string | null;
  readonly season: number | null;
  readonly episodeNumber: number;
  readonly episodeType: EpisodeType;
  readonly explicit: boolean;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly linkUrl: string | null;
  readonly audio: PublicAudio | null;
  readonly artwork: ImageRef | null;
  /** The episode's own credits, or the show's roster where it names nobody. */
  readonly people: readonly PublicCredit[];
  /** Of a transcript its makers publish; null: there is none to show. */
  readonly transcriptLanguage: string | null;
  readonly hasChapters: boolean;
}

/** What is told of one episode alone: in lists it would cost a look-up for each. */
export interface PublicEpisodeDetail extends PublicEpisode {
  /** How loud its audio is from beginning to end has been found out. */
  readonly hasWaveform: boolean;
}

/** Where a page ends: the next one begins after this, by (publishedAt, id) descending. */
export interface EpisodePosition {
  readonly publishedAt: Date;
  readonly id: string;
}
