import { isUuid } from '../../../../../lib/uuid.ts';
import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import {
  isYes,
  readBlock,
  readFirstLine,
  readLine,
  tryParseChoice,
  tryParseExplicit,
  tryParseLine,
  tryParseWebUrl,
} from './field-text.ts';
import type { ParsedCategory, ParsedFunding, ParsedLock, ParsedPodcast } from './parsed-feed.ts';
import { readExtraElements } from './read-extra-elements.ts';
import { readImageUrl } from './read-image.ts';
import { readAuthors, readFeedPeople } from './read-people.ts';
import type { UnreadElements } from './unread-elements.ts';

const MAX_CATEGORIES = 20;
const MAX_FUNDING = 20;
const DESCRIPTION_CHARS = 100_000;

export function readChannel(channel: FeedElement, unread: UnreadElements): ParsedPodcast {
  const child = (name: string): FeedElement | undefined => childNamed(channel, name);
  const line = (name: string): string | undefined => readLine(child(name));
  const owner = child('itunes:owner');
  const explicit = child('itunes:explicit') ?? child('googleplay:explicit');
  return {
    title: readFirstLine([child('title'), child('itunes:title')]),
    subtitle: line('itunes:subtitle'),
    author: readAuthors(channel)[0]?.name,
    description: readDescription(channel),
    language: readFirstLine([child('language'), child('dc:language')]),
    categories: readCategories(channel),
    explicit: tryParseExplicit(explicit?.text),
    showType: tryParseChoice(child('itunes:type')?.text, ['episodic', 'serial']),
    copyright: line('copyright'),
    websiteUrl: unread.readUrl(
      'channel',
      'link',
      ...childrenNamed(channel, 'link').map(({ text }) => text),
    ),
    imageUrl: readImageUrl(channel),
    ownerName: readLine(owner && childNamed(owner, 'itunes:name')),
    ownerEmail: readFirstLine([
      owner && childNamed(owner, 'itunes:email'),
      child('googleplay:owner'),
    ]),
    guid: readGuid(channel, unread),
    locked: readLock(channel, unread),
    funding: readFunding(channel, unread),
    newFeedUrl: tryParseWebUrl(child('itunes:new-feed-url')?.text),
    selfUrl: readAtomLink(channel, 'self'),
    nextPageUrl: readAtomLink(channel, 'next'),
    people: readFeedPeople(channel, 'channel', unread),
    complete: isYes(child('itunes:complete')),
    block: isYes(child('itunes:block')),
    medium: readMedium(channel, unread),
    generator: line('generator'),
    extraElements: readExtraElements(channel, 'channel', unread),
  };
}

/** Some generators put the subtitle into `description` and the description into itunes:summary. */
function readDescription(channel: FeedElement): string | undefined {
  const read = (name: string): string | undefined =>
    readBlock(childNamed(channel, name), DESCRIPTION_CHARS);
  const description = read('description');
  const summary = read('itunes:summary') ?? read('googleplay:description');
  if (description === undefined) return summary;
  const isSubtitle = description === readBlock(childNamed(channel, 'itunes:subtitle'));
  return isSubtitle ? (summary ?? description) : description;
}

/** A category without subcategories is one entry; with them, one for each. */
function readCategories(channel: FeedElement): ParsedCategory[] {
  const categories = new Map<string, ParsedCategory>();
  for (const tag of childrenNamed(channel, 'itunes:category')) {
    const category = tryParseLine(tag.attributes.get('text'));
    if (category === undefined) continue;
    const within = childrenNamed(tag, 'itunes:category').map((inner) =>
      tryParseLine(inner.attributes.get('text')),
    );
    for (const subcategory of within.length === 0 ? [undefined] : within) {
      categories.set(JSON.stringify([category, subcategory]), { category, subcategory });
    }
  }
  return [...categories.values()].slice(0, MAX_CATEGORIES);
}

/** A GUID that is not a UUID is a placeholder: the podcast gets a GUID from its address instead. */
function readGuid(channel: FeedElement, unread: UnreadElements): string | undefined {
  const tags = childrenNamed(channel, 'podcast:guid');
  const guid = readLine(tags[0])?.toLowerCase();
  const isRead = guid === undefined || isUuid(guid);
  leaveUnread(unread, 'podcast:guid', tags.length - (isRead ? 1 : 0));
  return isRead ? guid : undefined;
}

function readLock(channel: FeedElement, unread: UnreadElements): ParsedLock | undefined {
  const tags = childrenNamed(channel, 'podcast:locked');
  const [tag] = tags;
  const locked = tryParseChoice(tag?.text, ['yes', 'true', 'no', 'false']);
  leaveUnread(unread, 'podcast:locked', tags.length - (locked === undefined ? 0 : 1));
  if (tag === undefined || locked === undefined) return undefined;
  // In drafts of the specification, the attribute was called `email`.
  const owner = tag.attributes.get('owner') ?? tag.attributes.get('email');
  return { locked: locked === 'yes' || locked === 'true', owner: tryParseLine(owner) };
}

/** Each address once. */
function readFunding(channel: FeedElement, unread: UnreadElements): ParsedFunding[] {
  const funding = new Map<string, ParsedFunding>();
  const tags = childrenNamed(channel, 'podcast:funding');
  for (const tag of tags) {
    const url = tryParseWebUrl(tag.attributes.get('url'));
    if (url === undefined || funding.has(url) || funding.size === MAX_FUNDING) continue;
    funding.set(url, { url, text: readLine(tag) });
  }
  leaveUnread(unread, 'podcast:funding', tags.length - funding.size);
  return [...funding.values()];
}

function leaveUnread(unread: UnreadElements, name: string, count: number): void {
  if (count > 0) unread.add('channel', name, count);
}

/** A word in lower case, or a word with an L behind it, for a list of that medium. */
function readMedium(channel: FeedElement, unread: UnreadElements): string | undefined {
  const tags = childrenNamed(channel, 'podcast:medium');
  const text = readLine(tags[0]);
  const [, word = '', list = ''] = /^([a-z]{1,30}?)(L?)$/i.exec(text ?? '') ?? [];
  const isList = list === 'L' && word !== word.toUpperCase();
  leaveUnread(unread, 'podcast:medium', tags.length - (word === '' && text !== undefined ? 0 : 1));
  if (word === '') return undefined;
  return isList ? `${word.toLowerCase()}L` : `${word}${list}`.toLowerCase();
}

/** Also accepts links without the Atom prefix, if they have the right `rel`. */
function readAtomLink(channel: FeedElement, rel: string): string | undefined {
  const links = [...childrenNamed(channel, 'atom:link'), ...childrenNamed(channel, 'link')];
  const ofRel = links.filter((link) => link.attributes.get('rel')?.trim().toLowerCase() === rel);
  return ofRel
    .map((link) => tryParseWebUrl(link.attributes.get('href')))
    .find((url) => url !== undefined);
}
