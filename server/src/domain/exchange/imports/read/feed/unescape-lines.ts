import { decodeReferences, isAllReferences } from './character-references.ts';
import { tryParseLine } from './field-text.ts';
import type { ParsedItem, ParsedPerson, ParsedPodcast } from './parsed-feed.ts';

// Many generators escape texts twice: `It&amp;#8217;s`. What has been read then still has references.
// Our own feeds are never escaped twice, so their texts must not be changed here.

type Item = Pick<ParsedItem, 'title' | 'itunesTitle' | 'subtitle' | 'seasonName'> &
  Pick<ParsedItem, 'people' | 'inlineChapters'>;

/** The item with references resolved once more in texts of one line. */
export function unescapeItem<T extends Item>(item: T): T {
  return {
    ...item,
    title: unescapeLine(item.title),
    itunesTitle: unescapeLine(item.itunesTitle),
    subtitle: unescapeLine(item.subtitle),
    seasonName: unescapeLine(item.seasonName),
    people: item.people.map(unescapePerson),
    inlineChapters: item.inlineChapters.map((chapter) => ({
      ...chapter,
      title: unescapeLine(chapter.title),
    })),
  };
}

/** The same for the show. */
export function unescapePodcast(podcast: ParsedPodcast): ParsedPodcast {
  return {
    ...podcast,
    title: unescapeLine(podcast.title),
    subtitle: unescapeLine(podcast.subtitle),
    author: unescapeLine(podcast.author),
    copyright: unescapeLine(podcast.copyright),
    ownerName: unescapeLine(podcast.ownerName),
    categories: podcast.categories.map(({ category, subcategory }) => ({
      category: unescapeLine(category),
      subcategory: unescapeLine(subcategory),
    })),
    funding: podcast.funding.map((link) => ({ ...link, text: unescapeLine(link.text) })),
    people: podcast.people.map(unescapePerson),
  };
}

function unescapePerson(person: ParsedPerson): ParsedPerson {
  return { ...person, name: unescapeLine(person.name) };
}

/** A text with an `&` that begins no reference, such as `R&B &amp; soul`, was escaped only once. */
function unescapeLine<T extends string | undefined>(line: T): T {
  if (line === undefined || !isAllReferences(line)) return line;
  return (tryParseLine(decodeReferences(line)) ?? line) as T;
}
