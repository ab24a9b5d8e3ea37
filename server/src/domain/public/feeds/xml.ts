import { escapeXml } from '../../../lib/escape.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Characters that XML 1.0 forbids, also in CDATA, where nothing can be escaped. */
const FORBIDDEN = /[\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/gv;

/** An element without content; omits undefined attributes. */
export function emptyElement(name: string, attributes: Attributes): string {
  return `<${name}${writeAttributes(Object.entries(attributes))}/>\n`;
}

/** An element with text; empty if there is no text. */
export function textElement(
  name: string,
  text: string | number | boolean | undefined,
  attributes: Attributes = {},
): string {
  const escaped = text === undefined ? '' : escapeXml(String(text));
  const start = `<${name}${writeAttributes(Object.entries(attributes))}>`;
  return escaped === '' ? '' : `${start}${escaped}</${name}>\n`;
}

/** An element with HTML in CDATA; empty if there is none. */
export function cdataElement(name: string, html: string | undefined): string {
  if (html === undefined || html === '') return '';
  // A CDATA section cannot contain its end mark, so it is split over two sections.
  const safe = html.replace(FORBIDDEN, '').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<${name}><![CDATA[${safe}]]></${name}>\n`;
}

/** An element with children, which are XML already. */
export function parentElement(name: string, attributes: Attributes, children: string): string {
  return `<${name}${writeAttributes(Object.entries(attributes))}>\n${children}</${name}>\n`;
}

/** Each has a leading space. */
export function writeAttributes(
  attributes: readonly (readonly [name: string, value: Attributes[string]])[],
): string {
  let written = '';
  for (const [name, value] of attributes) {
    if (value !== undefined) written += ` ${name}="${escapeXml(String(value))}"`;
  }
  return written;
}
