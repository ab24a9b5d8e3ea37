import { childNamed, type FeedElement } from './feed-element.ts';
import { readLine } from './field-text.ts';
import type { ParsedAuthor } from './parsed-feed.ts';

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
