import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import { tryParseWebUrl } from './field-text.ts';

/**
 * The square picture of a channel or an item, from the first of several tags. Thumbnails
 * (media:thumbnail) are not used, because they are stills of any shape.
 */
export function readImageUrl(element: FeedElement): string | undefined {
  const candidates = [
    ...childrenNamed(element, 'itunes:image').flatMap(readHref),
    ...childrenNamed(element, 'podcast:image').filter(isArtwork).flatMap(readHref),
    ...childrenNamed(element, 'googleplay:image').flatMap(readHref),
    ...childrenNamed(element, 'image').map((image) => childNamed(image, 'url')?.text),
    ...childrenNamed(element, 'podcast:images').map(readSourceSet),
  ];
  for (const candidate of candidates) {
    const url = tryParseWebUrl(candidate);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** Some feeds write the URL as the text of the tag, or in an attribute `url`. */
function readHref(image: FeedElement): (string | undefined)[] {
  return [image.attributes.get('href'), image.attributes.get('url'), image.text];
}

/** podcast:image is also used for banners and films. */
function isArtwork(image: FeedElement): boolean {
  const { attributes } = image;
  const ratio = attributes.get('aspect-ratio')?.replace(/\s/g, '') ?? '1/1';
  const purposes = attributes.get('purpose')?.toLowerCase().split(/\s+/) ?? ['artwork'];
  return (
    (ratio === '1/1' || ratio === '1') &&
    purposes.includes('artwork') &&
    !attributes.get('type')?.startsWith('video/')
  );
}

/** The largest of a `srcset`: `a.jpg 1500w, b.jpg 600w`. */
function readSourceSet(images: FeedElement): string | undefined {
  const sources = (images.attributes.get('srcset') ?? '').split(',').map((source) => {
    const [url, width] = source.trim().split(/\s+/);
    return { url, width: Number.parseInt(width ?? '0', 10) || 0 };
  });
  return sources.toSorted((a, b) => b.width - a.width)[0]?.url;
}
