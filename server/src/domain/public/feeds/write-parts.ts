import { escapeXml } from '../../../lib/escape.ts';
import { feedDescriptionBytes } from '../../../lib/limits.ts';
import { shorten } from '../../../lib/shorten.ts';
import { asciiUrl } from '../../../lib/web-url.ts';
import type { ExtraElement } from '../../publishing/podcasts/index.ts';
import { cardPx } from '../cards/index.ts';
import type { FeedImage, FeedPerson } from './feed.ts';
import { emptyElement, textElement, writeAttributes } from './xml.ts';

/** Cuts a description to 4,000 bytes of UTF-8, between characters. */
export function cutDescription(text: string): string {
  const trimmed = text.trim();
  // A UTF-16 unit takes at most three bytes.
  if (trimmed.length * 3 <= feedDescriptionBytes) return trimmed;
  const bytes = Buffer.from(trimmed);
  if (bytes.length <= feedDescriptionBytes) return trimmed;
  let end = feedDescriptionBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end).trimEnd();
}

/** Apple's limit for subtitles. */
const SUBTITLE_CHARS = 255;

/** Cuts a subtitle to 255 characters, at the end of a word. */
export function cutSubtitle(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shorten(text.trim(), SUBTITLE_CHARS);
}

/**
 * Writes elements that we only pass on, each on its own line. Names were checked on import; values
 * are escaped. No space is added, so texts do not change.
 */
export function writeExtraElements(elements: readonly ExtraElement[]): string {
  return elements.map((element) => `${writeElement(element)}\n`).join('');
}

function writeElement({ name, attributes, text, children }: ExtraElement): string {
  const start = `<${name}${writeAttributes(attributes)}`;
  const content = escapeXml(text) + children.map(writeElement).join('');
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

/** The artwork in its sizes, for apps that choose one (FEED-12). */
export function writeImages(images: readonly FeedImage[]): string {
  return images
    .map(({ url, type, width, height }) =>
      emptyElement('podcast:image', {
        href: asciiUrl(url),
        purpose: 'artwork',
        'aspect-ratio': width === height ? '1/1' : `${width}/${height}`,
        width,
        height,
        type,
      }),
    )
    .join('');
}

/** The picture for links to the show or episode (FEED-19). */
export function writeCard(url: string | undefined): string {
  if (url === undefined) return '';
  const { width, height } = cardPx;
  const shape = { 'aspect-ratio': `${width}/${height}`, width, height, type: 'image/jpeg' };
  return emptyElement('podcast:image', { href: asciiUrl(url), purpose: 'social', ...shape });
}

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
