import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import { tryParseMediaType, tryParseWebUrl, tryParseWholeNumber } from './field-text.ts';
import type { ParsedEnclosure } from './parsed-feed.ts';

export interface EnclosureReading {
  readonly enclosure: ParsedEnclosure | undefined;
  /** The invalid URL of the enclosure, if the item has no valid one. */
  readonly badUrl: string | undefined;
  /** The number of further enclosures, and of pictures. */
  readonly others: number;
}

const AUDIO_FILE = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|wav|flac)(?:[?#]|$)/i;

/**
 * The item's file: the first enclosure with audio, else the first that is not a picture. If the
 * item has no such enclosure, podcast:alternateEnclosure and media:content are searched.
 */
export function readEnclosure(item: FeedElement, base: string | undefined): EnclosureReading {
  const tags = childrenNamed(item, 'enclosure');
  const found = tags.flatMap(({ attributes }) =>
    createEnclosure(
      repairAddress(attributes.get('url'), base),
      attributes.get('type'),
      attributes.get('length'),
    ),
  );
  const own = pickAudio(found);
  const enclosure = own ?? readAlternate(item) ?? readMediaContent(item);
  if (own !== undefined) return { enclosure, badUrl: undefined, others: tags.length - 1 };
  const written = tags.map((tag) => tag.attributes.get('url')?.trim() ?? '');
  const badUrl =
    enclosure === undefined && found.length === 0 ? written.find((url) => url !== '') : undefined;
  return { enclosure, badUrl, others: tags.length - (badUrl === undefined ? 0 : 1) };
}

/** `http:https://…` is a mistake of some generators. A relative URL refers to the feed's URL. */
export function repairAddress(
  address: string | undefined,
  base: string | undefined,
): string | undefined {
  const written = address?.trim().replace(/^https?:(?=https?:\/\/)/i, '') ?? '';
  if (written === '' || /^[a-z][a-z0-9+.-]*:/i.test(written)) return written;
  return base === undefined ? written : URL.parse(written, base)?.href;
}

/** Empty if the URL is not http(s). */
function createEnclosure(
  address: string | undefined,
  type: string | undefined,
  length: string | undefined,
): ParsedEnclosure[] {
  const url = tryParseWebUrl(address);
  if (url === undefined) return [];
  const lengthBytes = tryParseWholeNumber(length, Number.MAX_SAFE_INTEGER);
  return [{ url, type: tryParseMediaType(type), lengthBytes: lengthBytes || undefined }];
}

function pickAudio(enclosures: readonly ParsedEnclosure[]): ParsedEnclosure | undefined {
  return (
    enclosures.find(({ type }) => type?.startsWith('audio/')) ??
    enclosures.find(({ type, url }) => type === undefined && AUDIO_FILE.test(url)) ??
    enclosures.find(({ type }) => type?.startsWith('image/') !== true)
  );
}

/** The one marked as default, else the first with audio. Its first http(s) source counts. */
function readAlternate(item: FeedElement): ParsedEnclosure | undefined {
  const tags = childrenNamed(item, 'podcast:alternateenclosure');
  const read = (tag: FeedElement): ParsedEnclosure[] =>
    childrenNamed(tag, 'podcast:source')
      .flatMap((source) =>
        createEnclosure(
          source.attributes.get('uri'),
          tag.attributes.get('type'),
          tag.attributes.get('length'),
        ),
      )
      .slice(0, 1);
  const isDefault = (tag: FeedElement): boolean =>
    tag.attributes.get('default')?.trim().toLowerCase() === 'true';
  return tags.filter(isDefault).flatMap(read)[0] ?? pickAudio(tags.flatMap(read));
}

/** media:content is often used for pictures, too. */
function readMediaContent(item: FeedElement): ParsedEnclosure | undefined {
  const group = childNamed(item, 'media:group');
  const tags = [
    ...childrenNamed(item, 'media:content'),
    ...(group === undefined ? [] : childrenNamed(group, 'media:content')),
  ];
  const found = tags.flatMap(({ attributes }) =>
    createEnclosure(attributes.get('url'), attributes.get('type'), attributes.get('filesize')),
  );
  return pickAudio(found.filter(({ type }) => /^(?:audio|video)\//.test(type ?? '')));
}
