/** The most characters of a URL that we publish, as `asciiUrl` writes it (LIM-16). */
export const maxUrlChars = 2048;

/**
 * The URL in ASCII, as Apple requires: the host in punycode, the rest percent-encoded. ASCII URLs,
 * such as ours, do not change.
 */
export function asciiUrl(url: string): string {
  if (/^[\x21-\x7e]*$/.test(url)) return url;
  return URL.canParse(url) ? new URL(url).href : encodeURI(url.toWellFormed());
}

/**
 * Whether it has at most `maxUrlChars` characters where we publish it: a character of another script
 * becomes nine there.
 */
export function isShortUrl(url: string): boolean {
  // It never becomes shorter, and a long one is not worth converting.
  return url.length <= maxUrlChars && asciiUrl(url).length <= maxUrlChars;
}

/** Whether it is an absolute http or https URL that is short enough. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && isShortUrl(text);
}
