import { tryParseDuration } from '../../../../../lib/duration.ts';
import { tryParseFeedDate } from '../../../../../lib/feed-date.ts';
import { isFractionalNumber } from '../../../../../lib/fractional-number.ts';
import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import {
  dropForbidden,
  isYes,
  readBlock,
  readFirstLine,
  readLine,
  tryParseChoice,
  tryParseExplicit,
  tryParseLine,
  tryParseMediaType,
  tryParseWebUrl,
  tryParseWholeNumber,
} from './field-text.ts';
import type {
  FeedProblemReason,
  ParsedChapter,
  ParsedChaptersLink,
  ParsedItem,
  ParsedTranscript,
} from './parsed-feed.ts';
import { readEnclosure, repairAddress } from './read-enclosure.ts';
import { readExtraElements } from './read-extra-elements.ts';
import { readImageUrl } from './read-image.ts';
import { readAuthors, readFeedPeople } from './read-people.ts';
import type { UnreadElements } from './unread-elements.ts';

/** GUIDs are indexed; real ones are a tenth of this. */
const GUID_BYTES = 2_000;
const MAX_TRANSCRIPTS = 50;
const QUOTED_CHARS = 100;

export interface ItemFlaw {
  readonly reason: FeedProblemReason;
  readonly message: string;
}

/** The context of an item. */
export interface ItemSurroundings {
  readonly unread: UnreadElements;
  /** The feed's URL, which relative enclosures refer to. */
  readonly base: string | undefined;
  /** Podstead has written the feed. */
  readonly isOurs: boolean;
}

/** Reads an item as far as possible, with its problems and the GUID that it names. Never throws. */
export function readItem(
  item: FeedElement,
  position: number,
  surroundings: ItemSurroundings,
): {
  readonly item: ParsedItem;
  readonly guid: string | undefined;
  readonly flaws: readonly ItemFlaw[];
} {
  const { unread } = surroundings;
  const flaws: ItemFlaw[] = [];
  const child = (name: string): FeedElement | undefined => childNamed(item, name);
  const guid = dropForbidden(child('guid')?.text ?? '').trim() || undefined;
  const keptGuid = checkGuid(guid, flaws);
  const parsed: ParsedItem = {
    position,
    guid: keptGuid,
    guidIsPermalink: keptGuid !== undefined && isPermalink(item, keptGuid),
    title: readFirstLine([child('title'), child('itunes:title')]),
    itunesTitle: readItunesTitle(item),
    subtitle: readLine(child('itunes:subtitle')),
    descriptionHtml: readBlock(child('description')),
    contentHtml: readBlock(child('content:encoded')),
    summary: readBlock(child('itunes:summary') ?? child('googleplay:description')),
    link: unread.readUrl('item', 'link', ...childrenNamed(item, 'link').map(({ text }) => text)),
    publishedAt: readDate(item, flaws),
    enclosure: readFile(item, surroundings, flaws),
    durationMs: tryParseDuration(child('itunes:duration')?.text ?? '') || undefined,
    ...readNumbers(item, unread),
    episodeType: tryParseChoice(child('itunes:episodetype')?.text, ['full', 'trailer', 'bonus']),
    explicit: tryParseExplicit((child('itunes:explicit') ?? child('googleplay:explicit'))?.text),
    block: isYes(child('itunes:block')),
    imageUrl: readImageUrl(item),
    authors: readAuthors(item),
    people: readFeedPeople(item, 'item', unread),
    transcripts: readTranscripts(item, surroundings),
    chapters: readChaptersLink(item, surroundings),
    inlineChapters: readInlineChapters(item, unread),
    extraElements: readExtraElements(item, 'item', unread),
  };
  return { item: parsed, guid, flaws };
}

function checkGuid(guid: string | undefined, flaws: ItemFlaw[]): string | undefined {
  if (guid === undefined || Buffer.byteLength(guid) <= GUID_BYTES) return guid;
  const message = `Its GUID is longer than ${GUID_BYTES} bytes and was omitted.`;
  flaws.push({ reason: 'guid_too_long', message });
  return undefined;
}

/** In RSS, a GUID is a page's URL unless the feed says otherwise. */
function isPermalink(item: FeedElement, guid: string): boolean {
  const said = childNamed(item, 'guid')?.attributes.get('ispermalink')?.trim().toLowerCase();
  return said !== 'false' && tryParseWebUrl(guid) !== undefined;
}

/** Without a title, it becomes the title. */
function readItunesTitle(item: FeedElement): string | undefined {
  const isTitle = readLine(childNamed(item, 'title')) === undefined;
  return isTitle ? undefined : readLine(childNamed(item, 'itunes:title'));
}

function readDate(item: FeedElement, flaws: ItemFlaw[]): Date | undefined {
  const texts = ['pubdate', 'dc:date', 'atom:published', 'atom:updated']
    .map((name) => tryParseLine(childNamed(item, name)?.text))
    .filter((text) => text !== undefined);
  const date = texts.map(tryParseFeedDate).find((found) => found !== undefined);
  if (date === undefined && texts[0] !== undefined) {
    flaws.push({ reason: 'bad_date', message: `Its date cannot be read: ${quote(texts[0])}.` });
  }
  return date;
}

function readFile(
  item: FeedElement,
  { base, unread }: ItemSurroundings,
  flaws: ItemFlaw[],
): ParsedItem['enclosure'] {
  const { enclosure, badUrl, others } = readEnclosure(item, base);
  if (others > 0) unread.add('item', 'enclosure', others);
  if (badUrl !== undefined) {
    const message = `Its enclosure is not an http or https URL: ${quote(badUrl)}.`;
    flaws.push({ reason: 'bad_enclosure_url', message });
  }
  return enclosure;
}

function readTranscripts(
  item: FeedElement,
  { base, unread }: ItemSurroundings,
): ParsedTranscript[] {
  const tags = childrenNamed(item, 'podcast:transcript');
  const transcripts = tags.flatMap(({ attributes }) => {
    const url = tryParseWebUrl(repairAddress(attributes.get('url'), base));
    if (url === undefined) return [];
    return {
      url,
      type: tryParseMediaType(attributes.get('type')),
      language: tryParseLine(attributes.get('language')),
      rel: tryParseLine(attributes.get('rel'))?.toLowerCase(),
    };
  });
  const read = transcripts.slice(0, MAX_TRANSCRIPTS);
  if (read.length < tags.length) {
    unread.add('item', 'podcast:transcript', tags.length - read.length);
  }
  return read;
}

function quote(text: string): string {
  return JSON.stringify(tryParseLine(text, QUOTED_CHARS) ?? '');
}

const MAX_SEASON = 9_999;
const MAX_EPISODE = 1_000_000;
const DISPLAY_CHARS = 128;

type Numbers = Pick<ParsedItem, 'season' | 'seasonName' | 'episode' | 'episodeDisplay'>;

/**
 * Season and episode of an item. A fractional episode can only be displayed. Numbers that have no
 * place are counted as unread.
 */
function readNumbers(item: FeedElement, unread: UnreadElements): Numbers {
  const [seasonTag] = childrenNamed(item, 'podcast:season');
  const [episodeTag] = childrenNamed(item, 'podcast:episode');
  const display = tryParseLine(episodeTag?.attributes.get('display'), DISPLAY_CHARS);
  const text = episodeTag?.text.trim() ?? '';
  const fraction = display === undefined && isFractionalNumber(text) ? text : undefined;
  return {
    season: readNumber(item, 'season', { max: MAX_SEASON, unread }),
    seasonName: tryParseLine(seasonTag?.attributes.get('name'), DISPLAY_CHARS),
    episode: readNumber(item, 'episode', { max: MAX_EPISODE, unread, fraction }),
    episodeDisplay: display ?? fraction,
  };
}

/** Apple's element counts if both have a number. */
function readNumber(
  item: FeedElement,
  name: 'season' | 'episode',
  rules: {
    readonly max: number;
    readonly unread: UnreadElements;
    readonly fraction?: string | undefined;
  },
): number | undefined {
  const { max, unread, fraction } = rules;
  const apples = childNamed(item, `itunes:${name}`)?.text.trim() ?? '';
  const [first, ...others] = childrenNamed(item, `podcast:${name}`).map(({ text }) => text.trim());
  const apple = tryParseWholeNumber(apples, max);
  const number = apple ?? tryParseWholeNumber(first, max);
  const isKept = !first || first === fraction || tryParseWholeNumber(first, max) === (number ?? -1);
  if (apples !== '' && apple === undefined) unread.add('item', `itunes:${name}`);
  const lost = others.length + (isKept ? 0 : 1);
  if (lost > 0) unread.add('item', `podcast:${name}`, lost);
  return number;
}

const MAX_CHAPTERS = 2_000;

/** The first podcast:chapters with a URL. */
function readChaptersLink(
  item: FeedElement,
  { base, unread }: { readonly base: string | undefined; readonly unread: UnreadElements },
): ParsedChaptersLink | undefined {
  const tags = childrenNamed(item, 'podcast:chapters');
  const links = tags.flatMap(({ attributes }) => {
    const url = tryParseWebUrl(repairAddress(attributes.get('url'), base));
    return url === undefined ? [] : { url, type: tryParseMediaType(attributes.get('type')) };
  });
  const [link] = links;
  const lost = tags.length - (link === undefined ? 0 : 1);
  if (lost > 0) unread.add('item', 'podcast:chapters', lost);
  return link;
}

/** The feed's own chapters (Podlove Simple Chapters), in order of time. */
function readInlineChapters(item: FeedElement, unread: UnreadElements): ParsedChapter[] {
  const chapters: ParsedChapter[] = [];
  const tags = childrenNamed(item, 'psc:chapters').flatMap((list) =>
    childrenNamed(list, 'psc:chapter'),
  );
  const beyond = tags.length - MAX_CHAPTERS;
  if (beyond > 0) unread.add('item', 'psc:chapter', beyond);
  for (const { attributes } of tags.slice(0, MAX_CHAPTERS)) {
    chapters.push({
      startMs: tryParseDuration(attributes.get('start') ?? ''),
      title: tryParseLine(attributes.get('title')) ?? '',
      href: unread.readUrl('item', 'psc:chapter@href', attributes.get('href')),
      image: unread.readUrl('item', 'psc:chapter@image', attributes.get('image')),
    });
  }
  return chapters.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
}
