import type { ExtraElement, FeedLevel } from '../../../../publishing/podcasts/index.ts';

/**
 * A podcast feed as plain data. Every text is trimmed, limited in length, and free of characters
 * that XML and the database refuse. Fields that a feed does not contain are undefined. URLs are
 * absolute http(s) and unchanged.
 */
export interface ParsedFeed {
  readonly podcast: ParsedPodcast;
  /** In the feed's order. An item may have no enclosure: it has no audio (yet). */
  readonly items: readonly ParsedItem[];
  readonly problems: readonly FeedProblem[];
  /** Elements of the feed that no field here contains, most frequent first; limited in number. */
  readonly unread: readonly UnreadElement[];
  /** The document ended before its channel did, so items may be missing. */
  readonly truncated: boolean;
}

export interface ParsedPodcast {
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly author: string | undefined;
  /** Unchanged, perhaps HTML. */
  readonly description: string | undefined;
  /** Unchanged, usually a BCP 47 tag. */
  readonly language: string | undefined;
  readonly categories: readonly ParsedCategory[];
  readonly explicit: boolean | undefined;
  readonly showType: 'episodic' | 'serial' | undefined;
  readonly copyright: string | undefined;
  readonly websiteUrl: string | undefined;
  readonly imageUrl: string | undefined;
  readonly ownerName: string | undefined;
  readonly ownerEmail: string | undefined;
  /** podcast:guid if it is a UUID; lower case. */
  readonly guid: string | undefined;
  readonly locked: ParsedLock | undefined;
  readonly funding: readonly ParsedFunding[];
  /** itunes:new-feed-url: the feed has moved there. */
  readonly newFeedUrl: string | undefined;
  readonly selfUrl: string | undefined;
  /** The measurement prefixes of its items, as `channelOf` finds them. */
  readonly enclosurePrefixes?: readonly string[];
  /** RFC 5005: where the older items are. */
  readonly nextPageUrl: string | undefined;
  /** The roster: who makes the show. */
  readonly people: readonly ParsedPerson[];
  readonly complete: boolean;
  /** itunes:block */
  readonly block: boolean;
  /** podcast:medium: podcast, music, video, publisher, podcastL … */
  readonly medium: string | undefined;
  readonly generator: string | undefined;
  /** Other elements of the Podcasting 2.0 namespace. */
  readonly extraElements: readonly ExtraElement[];
}

export interface ParsedFunding {
  readonly url: string;
  readonly text: string | undefined;
}

/** An element (or `element@attribute`) that no field contains. */
export interface UnreadElement {
  readonly element: string;
  readonly level: FeedLevel;
  readonly count: number;
}

export interface ParsedCategory {
  readonly category: string;
  readonly subcategory: string | undefined;
}

export interface ParsedLock {
  readonly locked: boolean;
  readonly owner: string | undefined;
}

export interface ParsedItem {
  /** Its place in the feed, from 0; items that were left out count. */
  readonly position: number;
  /** Only trimmed, because it is compared byte for byte. */
  readonly guid: string | undefined;
  /** The feed says that the GUID is the URL of a page, and it is an http(s) URL. */
  readonly guidIsPermalink: boolean;
  readonly title: string | undefined;
  /** Only if there is also a title. */
  readonly itunesTitle: string | undefined;
  readonly subtitle: string | undefined;
  readonly descriptionHtml: string | undefined;
  readonly contentHtml: string | undefined;
  readonly summary: string | undefined;
  readonly link: string | undefined;
  readonly publishedAt: Date | undefined;
  readonly enclosure: ParsedEnclosure | undefined;
  readonly durationMs: number | undefined;
  readonly season: number | undefined;
  readonly seasonName: string | undefined;
  readonly episode: number | undefined;
  readonly episodeDisplay: string | undefined;
  readonly episodeType: 'full' | 'trailer' | 'bonus' | undefined;
  readonly explicit: boolean | undefined;
  /** itunes:block */
  readonly block: boolean;
  readonly imageUrl: string | undefined;
  /** Authors named beside `people`, one for each element that names one. */
  readonly authors: readonly ParsedAuthor[];
  readonly people: readonly ParsedPerson[];
  readonly transcripts: readonly ParsedTranscript[];
  /** podcast:chapters. A feed may give both this and `inlineChapters`. */
  readonly chapters: ParsedChaptersLink | undefined;
  /** Simple chapters, in order of time. */
  readonly inlineChapters: readonly ParsedChapter[];
  /** Other elements of the Podcasting 2.0 namespace. */
  readonly extraElements: readonly ExtraElement[];
}

export interface ParsedEnclosure {
  readonly url: string;
  /** Lower case, without parameters; undefined if it is missing or invalid. */
  readonly type: string | undefined;
  /** Undefined also for 0, which feeds use if they do not know it. */
  readonly lengthBytes: number | undefined;
}

/** `element`: of which of the elements for authors. */
export interface ParsedAuthor {
  readonly element: string;
  readonly name: string;
}

export interface ParsedPerson {
  readonly name: string;
  /** Lower case; default: `host`. */
  readonly role: string;
  /** Lower case; default: `cast`. */
  readonly group: string;
  readonly img: string | undefined;
  readonly href: string | undefined;
}

export interface ParsedTranscript {
  readonly url: string;
  readonly type: string | undefined;
  readonly language: string | undefined;
  readonly rel: string | undefined;
}

export interface ParsedChaptersLink {
  readonly url: string;
  readonly type: string | undefined;
}

export interface ParsedChapter {
  /** Undefined if it cannot be read. */
  readonly startMs: number | undefined;
  readonly title: string;
  readonly href: string | undefined;
  readonly image: string | undefined;
}

export type FeedProblemReason =
  | 'empty' // neither a title nor an enclosure: left out
  | 'too_large' // more than an item may hold: left out
  | 'cut_off' // the document ends inside it: left out
  | 'guid_too_long' // kept, without its GUID
  | 'bad_date' // kept, without a date
  | 'bad_enclosure_url'; // kept, without that enclosure

/** A problem of one item. The other items are read nevertheless. */
export interface FeedProblem {
  readonly position: number;
  readonly guid: string | undefined;
  readonly title: string | undefined;
  readonly reason: FeedProblemReason;
  /** For people. */
  readonly message: string;
  /** Whether the item is missing in `items` because of it. */
  readonly leftOut: boolean;
}
