const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const HTML_ENTITIES: Readonly<Record<string, string>> = { ...XML_ENTITIES, "'": '&#39;' };

/**
 * The five special characters, and everything outside XML 1.0's `Char`, which no parser accepts.
 */
const XML_SPECIAL = /[&<>"'\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/v;
const XML_SPECIALS = new RegExp(XML_SPECIAL, 'gv');
const HTML_SPECIALS = /[&<>"']/g;

/**
 * Escapes text for an XML element or a quoted attribute. Drops characters that XML 1.0 forbids:
 * control characters, U+FFFE, U+FFFF and lone surrogates.
 */
export function escapeXml(text: string): string {
  if (!XML_SPECIAL.test(text)) return text;
  return text.replace(XML_SPECIALS, (character) => XML_ENTITIES[character] ?? '');
}

/** Escapes the three characters that mean something between tags, and in cues of WebVTT. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(HTML_SPECIALS, (character) => HTML_ENTITIES[character] ?? '');
}
