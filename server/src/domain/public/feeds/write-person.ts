import type { FeedPerson } from './feed.ts';
import { asciiUrl } from './feed-text.ts';
import { textElement } from './xml.ts';

export function writePeople(people: readonly FeedPerson[]): string {
  return people
    .map(({ name, role, group, imageUrl, linkUrl }) =>
      textElement('podcast:person', name, {
        role,
        group,
        img: imageUrl && asciiUrl(imageUrl),
        href: linkUrl && asciiUrl(linkUrl),
      }),
    )
    .join('');
}
