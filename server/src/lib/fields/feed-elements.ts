/**
 * The elements of the Podcasting 2.0 namespace that members edit beside the fields, as plain data. They
 * are stored with the other elements of a feed (`extraElements`), so that imports, exports and restores
 * need nothing more. Checks, seed files, commands, the private API, the dashboard and docs/fields.md are
 * made from this list.
 */
interface Described {
  /** Its name in forms. */
  readonly label: string;
  /** What to enter, for forms. */
  readonly hint?: string;
  readonly required?: true;
  /** True: it is the element's text. All others are attributes. */
  readonly isText?: true;
  /** The attribute's name, if that is not the value's. */
  readonly attribute?: string;
  /** The attribute's names in drafts of the namespace, which imports may bring. */
  readonly aliases?: readonly string[];
  /** Only elements of shows have it. */
  readonly onlyShows?: true;
}

export type ElementValue = Described &
  /** Text of at most `max` characters; `reserved`: texts that a field of its own has. */
  (
    | {
        readonly kind: 'text';
        readonly max: number;
        readonly reserved?: Readonly<Record<string, string>>;
      }
    /** Choices with their names in forms. */
    | { readonly kind: 'choice'; readonly choices: Readonly<Record<string, string>> }
    | { readonly kind: 'flag' }
    | { readonly kind: 'whole'; readonly min: number; readonly max: number }
    /** With up to three decimals. */
    | { readonly kind: 'seconds'; readonly min: number }
    /** A time, in the feed as RFC 2822 has it; `expiry`: after it, the element is not in the feed. */
    | { readonly kind: 'moment' | 'expiry' }
    /** A day, or a time, as ISO 8601. */
    | { readonly kind: 'day' }
    | { readonly kind: 'url' | 'uri' | 'medium' | 'guid' | 'amount' | 'tokens' | 'ratio' }
    | { readonly kind: 'country' | 'geo' | 'osm' | 'rrule' | 'media type' }
    /** Elements within the element. */
    | {
        readonly kind: 'elements';
        readonly element: string;
        readonly most: number;
        readonly values: ElementValues;
      }
  );

export type ElementValues = Readonly<Record<string, ElementValue>>;

export interface FeedElement {
  readonly element: string;
  readonly on: readonly ElementOwner[];
  /** How many a show or an episode may have. */
  readonly most: number;
  readonly label: string;
  /** What it is for, in one sentence. */
  readonly about: string;
  readonly values: ElementValues;
  /** The element that contains all of them, once. */
  readonly within?: string;
  /** Attributes of drafts that say nothing more. */
  readonly ignored?: readonly string[];
}

export type ElementOwner = 'show' | 'episode';

const title = { label: 'Title', kind: 'text', max: 128 } as const;
const fileType = { label: 'Media type', kind: 'media type' } as const;

const remoteItem = {
  feedGuid: {
    label: 'Podcast GUID',
    hint: 'The podcast:guid of the other show’s feed.',
    kind: 'guid',
    required: true,
  },
  feedUrl: { label: 'Feed URL', kind: 'url' },
  title,
  itemGuid: { label: 'Episode GUID', kind: 'text', max: 1000 },
  medium: { label: 'Medium', kind: 'medium' },
} as const satisfies ElementValues;

const valueRecipient = {
  name: { label: 'Name', kind: 'text', max: 128 },
  type: {
    label: 'Kind of address',
    kind: 'choice',
    choices: { node: 'Lightning node', lnaddress: 'Lightning address' },
    required: true,
  },
  address: { label: 'Address', kind: 'text', max: 500, required: true },
  split: { label: 'Shares', kind: 'whole', min: 0, max: 1_000_000, required: true },
  fee: { label: 'This is a fee', kind: 'flag' },
  customKey: { label: 'Custom key', kind: 'text', max: 128 },
  customValue: { label: 'Custom value', kind: 'text', max: 500 },
} as const satisfies ElementValues;

const imageValues = {
  href: { label: 'URL', kind: 'url', required: true },
  purpose: {
    label: 'Purpose',
    hint: 'Such as social, banner, canvas, circular, poster or publisher.',
    kind: 'tokens',
    required: true,
  },
  alt: { label: 'Description', kind: 'text', max: 1000 },
  aspectRatio: {
    label: 'Aspect ratio',
    hint: 'Such as 16/9.',
    kind: 'ratio',
    attribute: 'aspect-ratio',
  },
  width: { label: 'Width in pixels', kind: 'whole', min: 1, max: 100_000 },
  height: { label: 'Height in pixels', kind: 'whole', min: 1, max: 100_000 },
  type: fileType,
} as const satisfies ElementValues;

/** In the order in which forms show them. The key is the name of the field. */
export const feedElements = {
  txt: {
    element: 'podcast:txt',
    on: ['show', 'episode'],
    most: 20,
    label: 'Verification codes and notes',
    about:
      'Texts for other services, such as the code that proves to Apple that the show is yours.',
    values: {
      text: { label: 'Text', kind: 'text', max: 4000, isText: true, required: true },
      purpose: {
        label: 'Purpose',
        hint: 'For Apple’s code: applepodcastsverify.',
        kind: 'text',
        max: 128,
        reserved: { 'ai-content': 'ai_content' },
      },
      expires: {
        label: 'Remove from the feed on',
        hint: 'Optional, for a code that is only needed once.',
        kind: 'expiry',
        onlyShows: true,
      },
    },
  },
  location: {
    element: 'podcast:location',
    on: ['show', 'episode'],
    most: 20,
    label: 'Places',
    about: 'Which places it is about, and where it is made.',
    values: {
      text: { label: 'Place', kind: 'text', max: 128, isText: true, required: true },
      rel: {
        label: 'Relation',
        kind: 'choice',
        choices: { subject: 'It is about this place', creator: 'It is made there' },
      },
      country: { label: 'Country', hint: 'Two letters, such as NO.', kind: 'country' },
      geo: {
        label: 'Coordinates',
        hint: 'Such as geo:59.91,10.75.',
        kind: 'geo',
        aliases: ['latlon'],
      },
      osm: {
        label: 'OpenStreetMap object',
        hint: 'Such as R406091.',
        kind: 'osm',
        aliases: ['osmid'],
      },
    },
  },
  license: {
    element: 'podcast:license',
    on: ['show', 'episode'],
    most: 1,
    label: 'License',
    about: 'The license under which others may use the recordings.',
    values: {
      text: {
        label: 'License',
        hint: 'An SPDX identifier such as cc-by-4.0, or the name of your own license.',
        kind: 'text',
        max: 128,
        isText: true,
        required: true,
      },
      url: { label: 'URL', kind: 'url' },
    },
  },
  socialInteract: {
    element: 'podcast:socialInteract',
    on: ['show', 'episode'],
    most: 20,
    label: 'Comments',
    about: 'Posts under which listeners discuss it. Apps show the replies.',
    ignored: ['pubDate', 'platform'],
    values: {
      protocol: {
        label: 'Network',
        kind: 'choice',
        choices: {
          activitypub: 'Mastodon and others (ActivityPub)',
          atproto: 'Bluesky (AT Protocol)',
          nostr: 'Nostr',
          matrix: 'Matrix',
          lightning: 'Lightning',
          hive: 'Hive',
          twitter: 'X (Twitter)',
          disabled: 'No comments',
        },
        required: true,
        aliases: ['platform'],
      },
      uri: { label: 'Post URL', kind: 'uri', aliases: ['text'] },
      accountId: {
        label: 'Account',
        kind: 'text',
        max: 256,
        aliases: ['podcastAccountId'],
      },
      accountUrl: { label: 'Account URL', kind: 'url', aliases: ['podcastAccountUrl'] },
      priority: { label: 'Order', kind: 'whole', min: 0, max: 1000 },
    },
  },
  podroll: {
    element: 'podcast:remoteItem',
    within: 'podcast:podroll',
    on: ['show'],
    most: 100,
    label: 'Recommended shows',
    about: 'Other shows that you recommend to your listeners.',
    values: remoteItem,
  },
  updateFrequency: {
    element: 'podcast:updateFrequency',
    on: ['show'],
    most: 1,
    label: 'Release schedule',
    about: 'How often new episodes are released.',
    values: {
      text: { label: 'In words', kind: 'text', max: 128, isText: true, required: true },
      rrule: {
        label: 'Recurrence rule',
        hint: 'As in RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.',
        kind: 'rrule',
      },
      dtstart: { label: 'First day', kind: 'day' },
      complete: { label: 'There will be no more episodes', kind: 'flag' },
    },
  },
  soundbite: {
    element: 'podcast:soundbite',
    on: ['episode'],
    most: 100,
    label: 'Soundbites',
    about: 'Short parts of the audio that apps can play as a preview.',
    values: {
      startTime: { label: 'Start in seconds', kind: 'seconds', min: 0, required: true },
      duration: { label: 'Length in seconds', kind: 'seconds', min: 0.001, required: true },
      text: { ...title, isText: true },
    },
  },
  trailer: {
    element: 'podcast:trailer',
    on: ['show'],
    most: 50,
    label: 'Trailers elsewhere',
    about: 'Trailers that are not episodes here. Those that are get into the feed automatically.',
    values: {
      text: { ...title, isText: true, required: true },
      url: { label: 'URL', kind: 'url', required: true },
      pubdate: {
        label: 'Published on',
        kind: 'moment',
        required: true,
      },
      length: { label: 'Size in bytes', kind: 'whole', min: 0, max: 10_000_000_000 },
      type: fileType,
      season: { label: 'Season', kind: 'whole', min: 0, max: 9999 },
    },
  },
  funding: {
    element: 'podcast:funding',
    on: ['episode'],
    most: 20,
    label: 'Support',
    about: 'Pages where listeners can support this episode.',
    values: {
      text: { label: 'Link text', kind: 'text', max: 128, isText: true, required: true },
      url: { label: 'URL', kind: 'url', required: true },
    },
  },
  value: {
    element: 'podcast:value',
    on: ['show', 'episode'],
    most: 5,
    label: 'Payments',
    about: 'Where apps send listeners’ payments, and how they are shared.',
    values: {
      type: { label: 'Currency or protocol', kind: 'text', max: 32, required: true },
      method: { label: 'Method', kind: 'text', max: 32, required: true },
      suggested: { label: 'Suggested amount', kind: 'amount' },
      recipients: {
        label: 'Recipients',
        kind: 'elements',
        element: 'podcast:valueRecipient',
        most: 50,
        values: valueRecipient,
        required: true,
      },
    },
  },
  image: {
    element: 'podcast:image',
    on: ['show', 'episode'],
    most: 20,
    label: 'Further pictures',
    about: 'Pictures for other purposes. The artwork is in the feed automatically.',
    values: imageValues,
  },
} as const satisfies Readonly<Record<string, FeedElement>>;

export type ElementName = keyof typeof feedElements;

/** The elements that shows or episodes may have, by their names. */
export function elementsOf(owner: ElementOwner): readonly (readonly [ElementName, FeedElement])[] {
  const all = Object.entries(feedElements) as [ElementName, FeedElement][];
  return all.filter(([, { on }]) => on.includes(owner));
}

/** The values that an element of this owner may have, by their names. */
export function valuesOf(values: ElementValues, owner: ElementOwner): [string, ElementValue][] {
  return Object.entries(values).filter(([, { onlyShows }]) => !onlyShows || owner === 'show');
}

/** One element as members edit it. Missing values are not in it. */
export interface ElementEntry {
  readonly [name: string]: string | number | boolean | readonly ElementEntry[];
}

/** The given elements of a show or an episode replace those that it has; an empty list removes them. */
export type ElementChanges = Partial<Record<ElementName, readonly ElementEntry[]>>;
