import type { ExtraElement, FeedLevel } from '../../podcasts/index.ts';

/**
 * A podcast feed as plain data. Every text is trimmed, free of characters that XML and the database
 * refuse, and bounded; what a feed does not say is undefined. Addresses are absolute http(s), as
 * the feed wrote them.
 */
export interface ParsedFeed {
  readonly podcast: ParsedPodcast;
  /** In the feed's order. An item without an enclosure is an item: it has no audio (yet). */
  readonly items: readonly ParsedItem[];
  readonly problems: readonly FeedProblem[];
  /** What is in the feed and in nothing of the above, most frequent first; bounded. */
  readonly unread: readonly UnreadElement[];
  /** The document ended before its channel did: there may have been more items. */
  readonly truncated: boolean;
}

export interface ParsedPodcast {
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly author: string | undefined;
  /** As the feed has it, HTML perhaps. */
  readonly description: string | undefined;
  /** As the feed has it, a BCP 47 tag in most. */
  readonly language: string | undefined;
  readonly categories: readonly ParsedCategory[];
  readonly explicit: boolean | undefined;
  readonly showType: 'episodic' | 'serial' | undefined;
  readonly copyright: string | undefined;
  readonly websiteUrl: string | undefined;
  readonly imageUrl: string | undefined;
  readonly ownerName: string | undefined;
  readonly ownerEmail: string | undefined;
  /** podcast:guid, only where it has the form of a UUID; lower case. */
  readonly guid: string | undefined;
  readonly locked: ParsedLock | undefined;
  readonly funding: readonly ParsedFunding[];
  /** itunes:new-feed-url: the feed has moved there. */
  readonly newFeedUrl: string | undefined;
  readonly selfUrl: string | undefined;
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
  /** Elements of the Podcasting 2.0 namespace that are nothing of the above. */
  readonly extraElements: readonly ExtraElement[];
}

export interface ParsedFunding {
  readonly url: string;
  readonly text: string | undefined;
}

/** An element (or `element@attribute`) that nothing here holds. */
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
  /** Its place in the feed, from 0, items left out counted. */
  readonly position: number;
  /** Trimmed and nothing else: it is compared byte for byte. */
  readonly guid: string | undefined;
  /** The feed says that the GUID is the address of a page, and it is a web address. */
  readonly guidIsPermalink: boolean;
  readonly title: string | undefined;
  /** Only where there is a title besides. */
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
  readonly people: readonly ParsedPerson[];
  readonly transcripts: readonly ParsedTranscript[];
  /** podcast:chapters. A feed may give both this and `inlineChapters`. */
  readonly chapters: ParsedChaptersLink | undefined;
  /** Simple chapters, in order of time. */
  readonly inlineChapters: readonly ParsedChapter[];
  /** Elements of the Podcasting 2.0 namespace that are nothing of the above. */
  readonly extraElements: readonly ExtraElement[];
}

export interface ParsedEnclosure {
  readonly url: string;
  /** Lower case, without parameters; undefined where the feed gives none or nonsense. */
  readonly type: string | undefined;
  /** Undefined also for 0, by which feeds say that they do not know. */
  readonly lengthBytes: number | undefined;
}

export interface ParsedPerson {
  readonly name: string;
  /** Lower case; `host` where the feed says nothing. */
  readonly role: string;
  /** Lower case; `cast` where the feed says nothing. */
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
  readonly startMs: number;
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

/** What is wrong with one item. It never keeps the others from being read. */
export interface FeedProblem {
  readonly position: number;
  readonly guid: string | undefined;
  readonly title: string | undefined;
  readonly reason: FeedProblemReason;
  /** For people. */
  readonly message: string;
  /** Whether the item is missing from `items` for it. */
  readonly leftOut: boolean;
}
