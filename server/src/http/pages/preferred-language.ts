import { isSpoken } from './words.ts';

/** Longer than any browser sends; the rest is ignored. */
const longestHeader = 400;

/**
 * The supported language that an `Accept-Language` header prefers; English if there is none. Only
 * for responses that are not cached, because they depend on the header.
 */
export function preferredLanguage(acceptLanguage: string | undefined): string {
  const ranked = (acceptLanguage ?? '')
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return { tag, quality: Number(quality) || 0 };
    })
    .filter(({ tag, quality }) => quality > 0 && /^[a-z]{2,3}(?:-|$)/i.test(tag) && isSpoken(tag))
    .sort((one, other) => other.quality - one.quality);
  return ranked[0]?.tag ?? 'en';
}
