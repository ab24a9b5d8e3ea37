/**
 * What a feed says, as plain data. Addresses are absolute; texts are as people wrote them: escaping,
 * cutting and dropping what XML cannot hold are the writer's work.
 */
export interface FeedChannel {
  readonly title: string;
  /** Plain text; of more than 4,000 bytes the rest is cut off (PSP-1). */
  readonly description: string;
  /** The show's site, else its listen page. */
  readonly linkUrl: string;
  /** Where this page of the feed is (atom:link self). */
  readonly selfUrl: string;
  readonly language: string;
  readonly author: string;
  readonly guid: string;
  readonly explicit: boolean;
  readonly showType: 'episodic' | 'serial';
  readonly categories: readonly FeedCategory[];
  readonly lastBuildAt: Date;
  readonly locked: boolean;
  /** Published only where the show's owner gave it for that. */
  readonly lockedOwner?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly copyright?: string | undefined;
  readonly owner?: { readonly name?: string | undefined; readonly email: string } | undefined;
  readonly funding?: { readonly url: string; readonly text?: string | undefined } | undefined;
  /** The roster. */
  readonly people: readonly FeedPerson[];
  /** Published trailers. */
  readonly trailers: readonly FeedTrailer[];
  /** Set once the show has moved (itunes:new-feed-url). */
  readonly newFeedUrl?: string | undefined;
  readonly hubUrl?: string | undefined;
  readonly usesPodping: boolean;
  /** RFC 5005, for a feed of several pages. */
  readonly paging?: FeedPaging | undefined;
}

interface FeedPaging {
  readonly first?: string | undefined;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  readonly last?: string | undefined;
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
  /** 0 in the feed where it is not known. */
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

/** A published episode with audio: one without is in no feed (decisions.md §3). */
export interface FeedItem {
  readonly guid: string;
  readonly title: string;
  readonly publishedAt: Date;
  readonly linkUrl: string;
  readonly enclosure: FeedEnclosure;
  readonly durationSeconds?: number | undefined;
  /** None in the feed of an episode that has none. */
  readonly season?: number | undefined;
  readonly episode?: number | undefined;
  readonly episodeType: 'full' | 'trailer' | 'bonus';
  readonly explicit: boolean;
  /** Plain text; of more than 4,000 bytes the rest is cut off. */
  readonly description: string;
  /** Show notes, sanitised. */
  readonly contentHtml?: string | undefined;
  readonly subtitle?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly people: readonly FeedPerson[];
  readonly transcripts: readonly FeedTranscript[];
  /** JSON chapters. */
  readonly chaptersUrl?: string | undefined;
}
