import type {
  HostingType,
  PlayerTheme,
  PodcastStatus,
  ShowType,
} from '../../foundation/enumerations.ts';
import type { ExtraElement } from './extra-element.ts';

const singleMediums = [
  'podcast',
  'music',
  'video',
  'film',
  'audiobook',
  'newsletter',
  'blog',
  'publisher',
  'course',
] as const;
/** The words of podcast:medium; with an `L` a list of that medium. A feed may bring others. */
export const mediums: readonly string[] = [
  ...singleMediums,
  'mixed',
  ...singleMediums.map((medium) => `${medium}L`),
];

export interface Category {
  readonly category: string;
  readonly subcategory: string | null;
}

export interface Funding {
  readonly url: string;
  readonly text: string | null;
}

/** The fields a podcast's members may set. Texts are plain; addresses are http(s). */
export interface PodcastFields {
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly author: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
  /** Apple's category names. */
  readonly category: string | null;
  readonly subcategory: string | null;
  /** Those after the first. */
  readonly otherCategories: readonly Category[];
  readonly explicit: boolean;
  readonly showType: ShowType;
  readonly copyright: string | null;
  readonly websiteUrl: string | null;
  /** A contact for the feed's itunes:owner; none is published unless it is set here. */
  readonly ownerName: string | null;
  readonly ownerEmail: string | null;
  readonly fundingUrl: string | null;
  readonly fundingText: string | null;
  /** Those after the first. */
  readonly otherFunding: readonly Funding[];
  /** podcast:medium */
  readonly medium: string;
  /** itunes:complete: there will be no more episodes. */
  readonly complete: boolean;
  /** itunes:block: Apple does not list the show. */
  readonly itunesBlock: boolean;
  readonly extraElements: readonly ExtraElement[];
  /** podcast:locked */
  readonly feedLocked: boolean;
  /** `#rrggbb` */
  readonly brandColor: string | null;
  readonly playerColor: string | null;
  readonly playerTheme: PlayerTheme;
  readonly playerWaveform: boolean;
  readonly showPoweredBy: boolean;
  /** IANA name. */
  readonly timezone: string;
  readonly teamKeys: boolean;
  readonly newFeedUrl: string | null;
  /** `external`: its audio is hosted elsewhere. */
  readonly hostingType: HostingType;
}

export interface Podcast extends PodcastFields {
  readonly id: string;
  readonly accountId: string;
  readonly guid: string;
  readonly status: PodcastStatus;
  readonly artworkId: string | null;
  readonly createdAt: Date;
  /** Counts the changes of what members edit. */
  readonly revision: number;
}
