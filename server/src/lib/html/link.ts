const plainCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const maxLinkLength = 4096;

/**
 * An absolute URL with one of the schemes (`https:`), ready for an attribute; undefined for
 * anything else. Keeps the original spelling if it is usual, else normalizes as browsers do.
 */
export function tryNormalizeLink(text: string, schemes: readonly string[]): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLinkLength || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  if (!schemes.includes(url.protocol)) return undefined;
  // Browsers accept `https:example.com` and `https:/example.com`; those are normalized.
  const isUsual =
    plainCharacters.test(trimmed) &&
    (url.protocol === 'mailto:' || /^https?:\/\/[^/]/i.test(trimmed));
  return isUsual ? trimmed : url.href;
}
