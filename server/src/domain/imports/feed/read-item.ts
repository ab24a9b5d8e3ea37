import { tryParseDuration } from '../../../lib/duration.ts';
import { tryParseFeedDate } from '../../../lib/feed-date.ts';
import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import {
  dropForbidden,
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
import type { FeedProblemReason, ParsedItem, ParsedTranscript } from './parsed-feed.ts';
import { readChaptersLink, readInlineChapters } from './read-chapters.ts';
import { readEnclosure } from './read-enclosure.ts';
import { readImageUrl } from './read-image.ts';
import { readPeople } from './read-people.ts';

/** A GUID is indexed where it is kept; real ones are a tenth of this. */
const GUID_BYTES = 2_000;
const MAX_SEASON = 9_999;
const MAX_EPISODE = 2 ** 31 - 1;
const MAX_TRANSCRIPTS = 50;
const QUOTED_CHARS = 100;

export interface ItemFlaw {
  readonly reason: FeedProblemReason;
  readonly message: string;
}

/** What identifies an item in a report. */
export interface ItemIdentity {
  readonly guid: string | undefined;
  readonly title: string | undefined;
}

export function readIdentity(item: FeedElement): ItemIdentity {
  const guid = dropForbidden(childNamed(item, 'guid')?.text ?? '').trim();
  return {
    guid: guid === '' ? undefined : guid,
    title: readFirstLine([childNamed(item, 'title'), childNamed(item, 'itunes:title')]),
  };
}

/** An item as far as it can be read, and what could not be. Never throws. */
export function readItem(
  item: FeedElement,
  position: number,
): { readonly item: ParsedItem; readonly flaws: readonly ItemFlaw[] } {
  const flaws: ItemFlaw[] = [];
  const child = (name: string): FeedElement | undefined => childNamed(item, name);
  const { guid, title } = readIdentity(item);
  const number = (name: string, max: number): number | undefined =>
    tryParseWholeNumber(child(`itunes:${name}`)?.text, max) ??
    tryParseWholeNumber(child(`podcast:${name}`)?.text, max);
  const parsed: ParsedItem = {
    position,
    guid: checkGuid(guid, flaws),
    title,
    subtitle: readLine(child('itunes:subtitle')),
    descriptionHtml: readBlock(child('description')),
    contentHtml: readBlock(child('content:encoded')),
    summary: readBlock(child('itunes:summary') ?? child('googleplay:description')),
    link: childrenNamed(item, 'link')
      .map((link) => tryParseWebUrl(link.text))
      .find((url) => url !== undefined),
    publishedAt: readDate(item, flaws),
    enclosure: readFile(item, flaws),
    durationMs: tryParseDuration(child('itunes:duration')?.text ?? '') || undefined,
    season: number('season', MAX_SEASON),
    episode: number('episode', MAX_EPISODE),
    episodeType: tryParseChoice(child('itunes:episodetype')?.text, ['full', 'trailer', 'bonus']),
    explicit: tryParseExplicit((child('itunes:explicit') ?? child('googleplay:explicit'))?.text),
    imageUrl: readImageUrl(item),
    people: readPeople(item),
    transcripts: readTranscripts(item),
    chapters: readChaptersLink(item),
    inlineChapters: readInlineChapters(item),
  };
  return { item: parsed, flaws };
}

function checkGuid(guid: string | undefined, flaws: ItemFlaw[]): string | undefined {
  if (guid === undefined || Buffer.byteLength(guid) <= GUID_BYTES) return guid;
  const message = `Its GUID is longer than ${GUID_BYTES} bytes and was left out.`;
  flaws.push({ reason: 'guid_too_long', message });
  return undefined;
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

function readFile(item: FeedElement, flaws: ItemFlaw[]): ParsedItem['enclosure'] {
  const { enclosure, badUrl } = readEnclosure(item);
  if (badUrl !== undefined) {
    const message = `Its enclosure is no http or https address: ${quote(badUrl)}.`;
    flaws.push({ reason: 'bad_enclosure_url', message });
  }
  return enclosure;
}

function readTranscripts(item: FeedElement): ParsedTranscript[] {
  const transcripts = childrenNamed(item, 'podcast:transcript').flatMap(({ attributes }) => {
    const url = tryParseWebUrl(attributes.get('url'));
    if (url === undefined) return [];
    return {
      url,
      type: tryParseMediaType(attributes.get('type')),
      language: tryParseLine(attributes.get('language')),
      rel: tryParseLine(attributes.get('rel'))?.toLowerCase(),
    };
  });
  return transcripts.slice(0, MAX_TRANSCRIPTS);
}

function quote(text: string): string {
  return JSON.stringify(tryParseLine(text, QUOTED_CHARS) ?? '');
}
