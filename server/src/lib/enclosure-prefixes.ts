import { isWebUrl } from './web-url.ts';

/** Apple follows few redirects, and each service adds one. */
export const maxPrefixes = 5;
export const maxPrefixChars = 200;

/**
 * Services that measure downloads by a prefix, each as its own documentation gives it. Where the prefix
 * ends with an account's name, it is missing.
 */
export const measurementServices = [
  { name: 'OP3', prefix: 'https://op3.dev/e/' },
  { name: 'Podtrac', prefix: 'https://dts.podtrac.com/redirect.mp3/' },
  { name: 'Podscribe', prefix: 'https://pscrb.fm/rss/p/' },
  { name: 'Blubrry', prefix: 'https://media.blubrry.com/', needsAccount: true },
] as const satisfies readonly { name: string; prefix: string; needsAccount?: true }[];

/** Whether a URL can be put in front of others. */
export function isEnclosurePrefix(text: string): boolean {
  if (!isWebUrl(text) || text.length > maxPrefixChars) return false;
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !/[?#\s]/.test(text) && url.username === '';
}

/**
 * The URL of audio behind prefixes, the first one outermost. Services expect URLs without `https://`;
 * `http://` has to stay.
 */
export function putBehindPrefixes(url: string, prefixes: readonly string[]): string {
  return prefixes.reduceRight((target, prefix) => {
    const start = prefix.endsWith('/') ? prefix : `${prefix}/`;
    return start + target.replace(/^https:\/\//, '');
  }, url);
}
