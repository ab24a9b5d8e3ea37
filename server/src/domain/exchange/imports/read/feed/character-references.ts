import { decodeHTMLStrict } from 'entities';

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;

const windows1252 = new TextDecoder('windows-1252');

/** One byte of windows-1252: feeds that write `&#146;` always mean these. */
export function windows1252Character(byte: number): string {
  return windows1252.decode(Uint8Array.of(byte));
}

/**
 * Resolves the references of a text once: numbers, and the names of XML and HTML, which feeds use
 * without declaring them. Anything else stays as it is. The document's own entities are never
 * expanded. Takes linear time.
 */
export function decodeReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeHTMLStrict(whole);
    return fromNumber(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  });
}

/** Whether the text has an `&`, and each begins a reference that is resolved to something else. */
export function isAllReferences(text: string): boolean {
  if (!text.includes('&')) return false;
  return !text
    .replace(REFERENCE, (whole) => (decodeReferences(whole) === whole ? whole : ''))
    .includes('&');
}

function fromNumber(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint <= 0x9f) return windows1252Character(codePoint);
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return surrogate || codePoint === 0 || codePoint > 0x10ffff
    ? ''
    : String.fromCodePoint(codePoint);
}
