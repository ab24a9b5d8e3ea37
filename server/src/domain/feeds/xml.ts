import { escapeXml } from '../../lib/escape.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What XML 1.0 cannot hold even in CDATA, where nothing can be escaped. */
const FORBIDDEN = /[\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/gv;

/** An element without content. An attribute that is undefined is left out. */
export function emptyElement(name: string, attributes: Attributes): string {
  return `<${name}${writeAttributes(attributes)}/>\n`;
}

/** An element with text; nothing at all where there is no text. */
export function textElement(
  name: string,
  text: string | number | boolean | undefined,
  attributes: Attributes = {},
): string {
  const escaped = text === undefined ? '' : escapeXml(String(text));
  return escaped === '' ? '' : `<${name}${writeAttributes(attributes)}>${escaped}</${name}>\n`;
}

/** An element with HTML, readable in the feed as it is; nothing where there is none. */
export function cdataElement(name: string, html: string | undefined): string {
  if (html === undefined || html === '') return '';
  // The end mark cannot stand in a section: it is shared out between two.
  const safe = html.replace(FORBIDDEN, '').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<${name}><![CDATA[${safe}]]></${name}>\n`;
}

/** An element around others, which are XML already. */
export function parentElement(name: string, attributes: Attributes, children: string): string {
  return `<${name}${writeAttributes(attributes)}>\n${children}</${name}>\n`;
}

function writeAttributes(attributes: Attributes): string {
  let written = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) written += ` ${name}="${escapeXml(String(value))}"`;
  }
  return written;
}
