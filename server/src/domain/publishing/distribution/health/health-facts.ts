import type { PodcastStatus, SuspensionCause } from '../../../foundation/enumerations.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import type { Artwork, Podcast } from '../../podcasts/index.ts';
import type { PrefixProblem } from '../prefixes/prefixes.sql.ts';

/** What the rules look at. */
export interface HealthFacts {
  readonly show: Pick<
    Podcast,
    | ('title' | 'author' | 'description' | 'language' | 'category')
    | ('ownerEmail' | 'copyright' | 'itunesBlock' | 'showType' | 'aiContent')
  > & { readonly status: PodcastStatus; readonly suspendedFor: SuspensionCause | null };
  readonly artwork: Omit<Artwork, 'color'> | null;
  /** The size of its file; 0 without artwork. */
  readonly artworkBytes: number;
  /** What is wrong with the names of the categories. */
  readonly categoryProblems: readonly ErrorDetail[];
  /** The installation's address begins with https. */
  readonly isSecure: boolean;
  /** Public episodes with audio: what the feed has. */
  readonly episodesInFeed: number;
  /** What the last check of its measurement prefixes found. */
  readonly prefixProblem: PrefixProblem | undefined;
  /** Its prefixes that fingerprints keep. */
  readonly unknownPrefixes: readonly string[];
  readonly episodeProblems: Readonly<Partial<Record<EpisodeProblem, ConcernedEpisodes>>>;
}

export interface ConcernedEpisodes {
  readonly count: number;
  /** The newest of them. */
  readonly first: readonly { readonly id: string; readonly title: string }[];
}

/** What may be wrong with an episode that is published or scheduled (`health.sql.ts`). */
export const episodeProblems = [
  'no_audio',
  'length_unknown',
  'duration_unknown',
  'unusual_type',
  'same_guid',
  'no_number',
  'long_title',
  'long_description',
  'no_description',
  'artwork_size',
  'artwork_bytes',
  'no_transcript',
  'no_chapters',
  'few_chapters',
  'hidden_on_apple',
] as const;
export type EpisodeProblem = (typeof episodeProblems)[number];

export const maxNamedEpisodes = 20;
