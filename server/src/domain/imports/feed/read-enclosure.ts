import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import { tryParseMediaType, tryParseWebUrl, tryParseWholeNumber } from './field-text.ts';
import type { ParsedEnclosure } from './parsed-feed.ts';

export interface EnclosureReading {
  readonly enclosure: ParsedEnclosure | undefined;
  /** What stood where an address should, when no other place of the item had one. */
  readonly badUrl: string | undefined;
}

const AUDIO_FILE = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|wav|flac)(?:[?#]|$)/i;

/**
 * The item's file: of several enclosures the first with audio, else the first. Only an item without
 * an enclosure is looked through for podcast:alternateEnclosure and media:content.
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
  const enclosure = pickAudio(found) ?? readAlternate(item) ?? readMediaContent(item);
  if (enclosure !== undefined) return { enclosure, badUrl: undefined };
  const written = tags.map((tag) => tag.attributes.get('url')?.trim() ?? '');
  return { enclosure, badUrl: written.find((url) => url !== '') };
}

/** `http:https://…` is a slip of some generators; an address without a host is the feed's. */
function repairAddress(address: string | undefined, base: string | undefined): string | undefined {
  const written = address?.trim().replace(/^https?:(?=https?:\/\/)/i, '') ?? '';
  if (written === '' || /^[a-z][a-z0-9+.-]*:/i.test(written)) return written;
  return base === undefined ? written : URL.parse(written, base)?.href;
}

/** None or one: an address that is not http(s) is no enclosure. */
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
    enclosures[0]
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

/** media:content is used for pictures just as much. */
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
