/** Apple's and PSP-1's bound for a description. */
const DESCRIPTION_BYTES = 4_000;

/** A description for the feed: at most 4,000 bytes of UTF-8, cut between two characters. */
export function cutDescription(text: string): string {
  const trimmed = text.trim();
  // A UTF-16 unit takes at most three bytes.
  if (trimmed.length * 3 <= DESCRIPTION_BYTES) return trimmed;
  const bytes = Buffer.from(trimmed);
  if (bytes.length <= DESCRIPTION_BYTES) return trimmed;
  let end = DESCRIPTION_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end).trimEnd();
}

/**
 * The same address in ASCII, as Apple asks: host in punycode, the rest percent-encoded. What is
 * ASCII already stays as it is, byte for byte; our own addresses are.
 */
export function asciiUrl(url: string): string {
  if (/^[\x21-\x7e]*$/.test(url)) return url;
  return URL.canParse(url) ? new URL(url).href : encodeURI(url.toWellFormed());
}
