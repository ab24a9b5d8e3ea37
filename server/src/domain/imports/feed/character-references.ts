import { HTML_ENTITIES } from './html-entities.ts';

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;

/** Bytes 0x80–0x9F in windows-1252: feeds that write `&#146;` always mean these. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** One byte of windows-1252. */
export function windows1252Character(byte: number): string {
  return byte >= 0x80 && byte <= 0x9f
    ? (WINDOWS_1252[byte - 0x80] ?? '')
    : String.fromCharCode(byte);
}

/**
 * Resolves the references of a text once: numbers, XML's five names, and the HTML names that feeds
 * use without declaring them. Anything else stays as it is. The document's own entities are never
 * expanded. Takes linear time.
 */
export function decodeReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return HTML_ENTITIES.get(name) ?? whole;
    return fromNumber(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  });
}

function fromNumber(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint <= 0x9f) return windows1252Character(codePoint);
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return surrogate || codePoint === 0 || codePoint > 0x10ffff
    ? ''
    : String.fromCodePoint(codePoint);
}
