import type { FeedLevel } from '../../podcasts/index.ts';
import { childrenNamed, type FeedElement } from './feed-element.ts';
import { readLine, tryParseLine, tryParseWebUrl } from './field-text.ts';
import type { ParsedPerson } from './parsed-feed.ts';
import type { UnreadElements } from './unread-elements.ts';

const MAX_PEOPLE = 100;
const NAME_CHARS = 200;
const ROLE_CHARS = 100;

/**
 * podcast:person of a channel or an item. A person who is repeated with the same role counts once.
 */
export function readPeople(
  element: FeedElement,
  level: FeedLevel,
  unread: UnreadElements,
): ParsedPerson[] {
  const people = new Map<string, ParsedPerson>();
  for (const tag of childrenNamed(element, 'podcast:person')) {
    const name = readLine(tag, NAME_CHARS);
    if (name === undefined) continue;
    const role = readTerm(tag, 'role', 'host');
    const group = readTerm(tag, 'group', 'cast');
    const key = JSON.stringify([name, role, group]);
    if (people.has(key)) continue;
    if (people.size === MAX_PEOPLE) {
      unread.add(level, 'podcast:person');
      continue;
    }
    const img = tryParseWebUrl(tag.attributes.get('img'));
    const href = tryParseWebUrl(tag.attributes.get('href'));
    people.set(key, { name, role, group, img, href });
  }
  return [...people.values()];
}

function readTerm(tag: FeedElement, attribute: string, fallback: string): string {
  return tryParseLine(tag.attributes.get(attribute), ROLE_CHARS)?.toLowerCase() ?? fallback;
}
