import { peopleLimits } from '../../../../../lib/limits.ts';
import type { FeedLevel } from '../../../../publishing/podcasts/index.ts';
import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import { readLine, tryParseLine } from './field-text.ts';
import type { ParsedAuthor, ParsedPerson } from './parsed-feed.ts';
import type { UnreadElements } from './unread-elements.ts';

/** As many as a roster or an episode may have here. */
const maxPeople = { channel: peopleLimits.roster, item: peopleLimits.credits } as const;
const NAME_CHARS = 200;
const ROLE_CHARS = 100;

/**
 * podcast:person of a channel or an item, and others in atom:contributor, whose role is unknown. A
 * person who is repeated with the same role counts once.
 */
export function readFeedPeople(
  element: FeedElement,
  level: FeedLevel,
  unread: UnreadElements,
): ParsedPerson[] {
  const people = new Map<string, ParsedPerson>();
  for (const tag of childrenNamed(element, 'podcast:person')) {
    // In drafts of the specification, the name was an attribute.
    const name = readLine(tag, NAME_CHARS) ?? tryParseLine(tag.attributes.get('name'), NAME_CHARS);
    if (name === undefined) {
      unread.add(level, 'podcast:person');
      continue;
    }
    const role = readTerm(tag, 'role', 'host');
    const group = readTerm(tag, 'group', 'cast');
    const key = JSON.stringify([name, role, group]);
    if (people.has(key)) continue;
    if (people.size === maxPeople[level]) {
      unread.add(level, 'podcast:person');
      continue;
    }
    const img = unread.readUrl(level, 'podcast:person@img', tag.attributes.get('img'));
    const href = unread.readUrl(level, 'podcast:person@href', tag.attributes.get('href'));
    people.set(key, { name, role, group, img, href });
  }
  addContributors(element, level, people, unread);
  return [...people.values()];
}

/** Podlove's way to name people. The first element of a name counts. */
function addContributors(
  element: FeedElement,
  level: FeedLevel,
  people: Map<string, ParsedPerson>,
  unread: UnreadElements,
): void {
  const named = new Set([...people.values()].map(({ name }) => name.toLowerCase()));
  for (const tag of childrenNamed(element, 'atom:contributor')) {
    const name = readLine(childNamed(tag, 'atom:name'), NAME_CHARS);
    if (name !== undefined && named.has(name.toLowerCase())) continue;
    if (name === undefined || people.size === maxPeople[level]) {
      unread.add(level, 'atom:contributor');
      continue;
    }
    named.add(name.toLowerCase());
    const href = unread.readUrl(level, 'atom:uri', childNamed(tag, 'atom:uri')?.text);
    people.set(name, { name, role: 'contributor', group: 'cast', img: undefined, href });
  }
}

function readTerm(tag: FeedElement, attribute: string, fallback: string): string {
  return tryParseLine(tag.attributes.get(attribute), ROLE_CHARS)?.toLowerCase() ?? fallback;
}

/** The elements that name an author, of a channel or of an item; the first counts. */
const AUTHORS = ['itunes:author', 'googleplay:author', 'atom:author', 'dc:creator'];

/** At most one author for each element. */
export function readAuthors(holder: FeedElement): ParsedAuthor[] {
  return AUTHORS.flatMap((element) => {
    const tag = childNamed(holder, element);
    const name = readLine(element === 'atom:author' ? tag && childNamed(tag, 'atom:name') : tag);
    return name === undefined ? [] : { element, name };
  });
}
