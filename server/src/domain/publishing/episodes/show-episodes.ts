import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { Confirmation } from './episode.ts';
import type { MemberEpisode } from './member-episode.ts';

export const episodeSorts = ['newest', 'oldest', 'title', 'number'] as const;
export type EpisodeSort = (typeof episodeSorts)[number];

/** An episode as a row of the list in which its members work. */
export interface ShowEpisode
  extends Omit<MemberEpisode, 'subtitle' | 'guidSha256' | 'enclosureSha256' | 'rssGuid'> {
  readonly hasAudio: boolean;
  /** The episode's own picture. */
  readonly artwork: { readonly id: string } | null;
  /** Of the seven UTC days before today; null: not for this member, or not counted here. */
  readonly downloads7d: number | null;
  readonly revision: number;
  /** What the member may do with its status, and what publishing or scheduling must confirm. */
  readonly mayBecome: readonly EpisodeStatus[];
  readonly toConfirm: readonly Confirmation[];
}

/** The values by which the list is sorted, of the last row of a page. */
export type ShowEpisodePosition = readonly (string | number)[];

export interface ShowEpisodeQuery {
  readonly podcastId: string;
  /** Words, or parts of them, that a title must all have. Undefined or empty: any title. */
  readonly search: string | undefined;
  /** The status at this moment: a due episode is published. */
  readonly status: EpisodeStatus | undefined;
  readonly sort: EpisodeSort;
  readonly after: ShowEpisodePosition | undefined;
  readonly limit: number;
}

/** How many episodes there are that the member sees, by their status now. */
export type EpisodeCounts = Readonly<Record<EpisodeStatus, number>>;
