const plainCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const maxLinkLength = 4096;

/**
 * An absolute address of one of the schemes (`https:`), ready for an attribute; undefined for
 * anything else. Kept as it was written where that holds nothing unusual, else as browsers read it.
 */
export function tryNormaliseLink(text: string, schemes: readonly string[]): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLinkLength || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  if (!schemes.includes(url.protocol)) return undefined;
  // `https:example.com` and `https:/example.com` mean what browsers make of them.
  const isUsual =
    plainCharacters.test(trimmed) &&
    (url.protocol === 'mailto:' || /^https?:\/\/[^/]/i.test(trimmed));
  return isUsual ? trimmed : url.href;
}
