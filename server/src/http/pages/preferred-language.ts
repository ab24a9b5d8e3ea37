import { findLanguage, type Language } from '../../lib/languages.ts';
import { isSpoken } from './words.ts';

/** Longer than any browser sends; the rest is ignored. */
const longestHeader = 400;

/**
 * The supported language that an `Accept-Language` header prefers; English if there is none. Only
 * for responses that are not cached, or vary by the header. Default: the
 * languages of the listen pages.
 */
export function preferredLanguage(
  acceptLanguage: string | undefined,
  isSupported: (tag: string) => boolean = isSpoken,
): string {
  const ranked = (acceptLanguage ?? '')
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return { tag, quality: Number(quality) || 0 };
    })
    .filter(
      ({ tag, quality }) => quality > 0 && /^[a-z]{2,3}(?:-|$)/i.test(tag) && isSupported(tag),
    )
    .sort((one, other) => other.quality - one.quality);
  return ranked[0]?.tag ?? 'en';
}

/** The same for the languages of the app. */
export function preferredAppLanguage(acceptLanguage: string | undefined): Language {
  const isSupported = (tag: string) => findLanguage(tag) !== undefined;
  return findLanguage(preferredLanguage(acceptLanguage, isSupported)) ?? 'en';
}
