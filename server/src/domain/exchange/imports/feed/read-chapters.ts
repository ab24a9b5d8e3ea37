import { tryParseDuration } from '../../../../lib/duration.ts';
import { childrenNamed, type FeedElement } from './feed-element.ts';
import { tryParseLine, tryParseMediaType, tryParseWebUrl } from './field-text.ts';
import type { ParsedChapter, ParsedChaptersLink } from './parsed-feed.ts';
import { repairAddress } from './read-enclosure.ts';
import type { UnreadElements } from './unread-elements.ts';

const MAX_CHAPTERS = 2_000;

/** The first podcast:chapters with a URL. */
export function readChaptersLink(
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
export function readInlineChapters(item: FeedElement, unread: UnreadElements): ParsedChapter[] {
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
      href: tryParseWebUrl(attributes.get('href')),
      image: tryParseWebUrl(attributes.get('image')),
    });
  }
  return chapters.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
}
