import type { ExtraElement } from '../../publishing/podcasts/index.ts';

/**
 * The content of a feed as plain data. URLs are absolute and texts unescaped; the writer escapes,
 * cuts and drops what XML cannot contain.
 */
export interface FeedChannel {
  readonly title: string;
  /** Cut after 255 characters, as Apple requires. */
  readonly subtitle?: string | undefined;
  /** Plain text; cut after 4,000 bytes (PSP-1). */
  readonly description: string;
  /** The show's site, else its listen page. */
  readonly linkUrl: string;
  /** The URL of this page of the feed (atom:link self). */
  readonly selfUrl: string;
  readonly language: string;
  readonly author: string;
  readonly guid: string;
  readonly explicit: boolean;
  readonly showType: 'episodic' | 'serial';
  readonly categories: readonly FeedCategory[];
  readonly lastBuildAt: Date;
  readonly locked: boolean;
  /** Only if the owner gave the address for publication. */
  readonly lockedOwner?: string | undefined;
  readonly imageUrl?: string | undefined;
  /** The artwork and smaller copies of it, largest first. */
  readonly images: readonly FeedImage[];
  /** The URL of the show's card; undefined: it has another picture for links. */
  readonly cardUrl?: string | undefined;
  readonly copyright?: string | undefined;
  readonly owner?: { readonly name?: string | undefined; readonly email: string } | undefined;
  readonly funding: readonly FeedFunding[];
  /** podcast:medium */
  readonly medium: string;
  /** itunes:complete, itunes:block */
  readonly complete: boolean;
  readonly itunesBlock: boolean;
  /** The show's people. */
  readonly people: readonly FeedPerson[];
  /** Published trailers. */
  readonly trailers: readonly FeedTrailer[];
  /** Set if the show has moved (itunes:new-feed-url). */
  readonly newFeedUrl?: string | undefined;
  /** WebSub hubs that are notified of changes of this page. */
  readonly hubUrls?: readonly string[] | undefined;
  /** Whether podpings are sent for this feed. */
  readonly usesPodping?: boolean | undefined;
  /** RFC 5005, for a feed of several pages. */
  readonly paging?: FeedPaging | undefined;
  /** Written last, unchanged. */
  readonly extraElements: readonly ExtraElement[];
}

export interface FeedImage {
  readonly url: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

interface FeedFunding {
  readonly url: string;
  readonly text?: string | undefined;
}

interface FeedPaging {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}

export interface FeedCategory {
  readonly category: string;
  readonly subcategory?: string | undefined;
}

export interface FeedPerson {
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly imageUrl?: string | undefined;
  readonly linkUrl?: string | undefined;
}

export interface FeedEnclosure {
  readonly url: string;
  /** 0 in the feed if unknown. */
  readonly lengthBytes?: number | undefined;
  readonly type: string;
}

export interface FeedTrailer extends FeedEnclosure {
  readonly title: string;
  readonly publishedAt: Date;
  readonly season?: number | undefined;
}

export interface FeedTranscript {
  readonly url: string;
  readonly type: string;
  readonly language?: string | undefined;
  readonly rel?: 'captions' | undefined;
}

/** A published episode with audio. Without audio, an episode isn't in the feed (FEED-3). */
export interface FeedItem {
  readonly guid: string;
  readonly guidIsPermalink: boolean;
  readonly title: string;
  /** Default: the title. */
  readonly itunesTitle?: string | undefined;
  readonly publishedAt: Date;
  readonly linkUrl: string;
  readonly enclosure: FeedEnclosure;
  readonly durationSeconds?: number | undefined;
  /** Omitted if there is none. */
  readonly season?: number | undefined;
  readonly seasonName?: string | undefined;
  /** Only if set explicitly. */
  readonly episode?: number | undefined;
  readonly episodeDisplay?: string | undefined;
  readonly episodeType: 'full' | 'trailer' | 'bonus';
  readonly explicit: boolean;
  readonly itunesBlock: boolean;
  /** Plain text; cut after 4,000 bytes. */
  readonly description: string;
  /** Sanitized show notes. */
  readonly contentHtml?: string | undefined;
  /** Cut after 255 characters. */
  readonly subtitle?: string | undefined;
  readonly imageUrl?: string | undefined;
  /** The artwork and a smaller copy of it. */
  readonly images: readonly FeedImage[];
  /** As above. */
  readonly cardUrl?: string | undefined;
  readonly people: readonly FeedPerson[];
  readonly transcripts: readonly FeedTranscript[];
  /** Those with titles, for apps that read no JSON chapters. */
  readonly chapters: readonly FeedChapter[];
  /** JSON chapters. */
  readonly chaptersUrl?: string | undefined;
  /** Written last, unchanged. */
  readonly extraElements: readonly ExtraElement[];
}

export interface FeedChapter {
  readonly startMs: number;
  readonly title?: string | undefined;
  readonly linkUrl?: string | undefined;
  readonly imageUrl?: string | undefined;
}
