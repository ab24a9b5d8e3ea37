const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const HTML_ENTITIES: Readonly<Record<string, string>> = { ...XML_ENTITIES, "'": '&#39;' };

/** The five characters, and everything outside the `Char` of XML 1.0: no parser would go on. */
const XML_SPECIAL = /[&<>"'\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/v;
const XML_SPECIALS = new RegExp(XML_SPECIAL, 'gv');
const HTML_SPECIALS = /[&<>"']/g;

/**
 * Text for an XML element or a quoted attribute. Drops what XML 1.0 cannot hold at all: control
 * characters, U+FFFE, U+FFFF and halves of surrogate pairs.
 */
export function escapeXml(text: string): string {
  if (!XML_SPECIAL.test(text)) return text;
  return text.replace(XML_SPECIALS, (character) => XML_ENTITIES[character] ?? '');
}

/** Text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(HTML_SPECIALS, (character) => HTML_ENTITIES[character] ?? '');
}
