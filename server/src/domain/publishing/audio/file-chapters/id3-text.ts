const latin1 = 0;
const utf16 = 1;
const utf16BigEndian = 2;

/** A longer text is neither a title nor an address. */
const maxTextBytes = 4096;

/** The text of a frame such as TIT2: a byte for the encoding, then the text. */
export function readText(body: Buffer): string {
  return decode(body.subarray(1, 1 + maxTextBytes), body[0] ?? latin1);
}

/** The address in WXXX, after a description that ends with a zero. */
export function readUserAddress(body: Buffer): string {
  const rest = body.subarray(1, 1 + 2 * maxTextBytes);
  const isWide = body[0] === utf16 || body[0] === utf16BigEndian;
  const end = isWide ? findWideZero(rest) : rest.indexOf(0);
  if (end < 0) return '';
  return untilZero(rest.subarray(end + (isWide ? 2 : 1)).toString('latin1'));
}

/** The place of the zero that ends a text; -1 if there is none. */
function findWideZero(bytes: Buffer): number {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return at;
  }
  return -1;
}

function decode(bytes: Buffer, encoding: number): string {
  if (encoding === latin1) return untilZero(bytes.toString('latin1'));
  if (encoding === utf16) return untilZero(decodeUtf16(bytes));
  if (encoding === utf16BigEndian) return untilZero(new TextDecoder('utf-16be').decode(bytes));
  return untilZero(bytes.toString('utf8'));
}

/**
 * Decodes UTF-16 by its byte order mark; without one, as little-endian, which most programs write.
 */
export function decodeUtf16(bytes: Buffer): string {
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes);
}

function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
