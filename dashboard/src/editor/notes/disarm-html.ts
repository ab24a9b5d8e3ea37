/**
 * Renames everything that the page's policy refuses in parsed HTML, even if it is never shown:
 * `style` becomes `data-style`, and so do handlers; style sheets become an element that is dropped.
 * Text and comments stay as they are.
 */
export function disarmHtml(html: string): string {
  return html.replace(tag, (written) => {
    if (written.startsWith('<!--')) return written;
    return written
      .replace(/^(<\/?)style(?![^\s/>])/i, '$1xmp')
      .replace(attributePart, (part) => (refused.test(part) ? `data-${part}` : part));
  });
}

/** A whole comment or tag. A `>` in a quoted value does not end the tag. */
const tag = /<!--.*?(?:-->|$)|<\/?[a-z](?:=\s*(?:"[^"]*"?|'[^']*'?)|[^>])*>?/gis;
/** A value, or a name. */
const attributePart = /=\s*(?:"[^"]*"?|'[^']*'?|[^\s>]*)|[^\s=/>]+/g;
const refused = /^(?:style|on\w+)$/i;

/** HTML as a document that loads and runs nothing. `style` is in `data-style`. */
export function parseHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(disarmHtml(html), 'text/html').body;
}
