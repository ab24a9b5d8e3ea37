/** The parts of the public API's payloads that the player reads, under their wire names. */

export interface Podcast {
  readonly id: string;
  readonly slug: string;
  readonly guid: string;
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly artwork: { readonly url: string | null };
  /** Also of a show that has not chosen one. */
  readonly color: string;
  readonly player_theme: string;
  readonly player_waveform: boolean;
  readonly timezone: string;
  readonly links: { readonly listen: string; readonly feed: string };
  readonly branding: { readonly show_powered_by: boolean };
}

export interface Episode {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly season_number: number;
  readonly episode_number: number;
  readonly episode_type: 'full' | 'trailer' | 'bonus';
  readonly published_at: string;
  readonly audio: {
    readonly url: string | null;
    readonly duration_seconds: number | null;
    readonly waveform_url?: string | null;
  };
  readonly artwork: { readonly url: string | null };
  /** Empty texts before the episode is public: there is nothing to share. */
  readonly links: { readonly listen: string; readonly embed: string };
  readonly transcript: {
    readonly url: string;
    readonly content_type: string;
    readonly language: string;
  } | null;
  /** These two are in the response for one episode, not in lists. */
  readonly chapters_url?: string | null;
  readonly podcast?: { readonly id: string; readonly title: string };
}

/** What a page gives to its player, which then requests neither. */
export interface Given {
  readonly podcast: Podcast;
  readonly episode: Episode;
}

export interface Waveform {
  readonly version: number;
  readonly peaks: readonly number[];
}

export interface ChapterFile {
  readonly chapters: readonly {
    readonly startTime: number;
    readonly title?: string;
    readonly img?: string;
    readonly url?: string;
    readonly toc?: boolean;
  }[];
}
