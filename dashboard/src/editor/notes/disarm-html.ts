/**
 * Renames what the policy of the page refuses in any HTML that it parses, even if it is never shown:
 * `style` becomes `data-style`, so do handlers; style sheets become an element that is dropped. Text
 * and comments stay as they are.
 */
export function disarmHtml(html: string): string {
  return html.replace(tag, (written) => {
    if (written.startsWith('<!--')) return written;
    return written
      .replace(/^(<\/?)style(?![^\s/>])/i, '$1xmp')
      .replace(attributePart, (part) => (refused.test(part) ? `data-${part}` : part));
  });
}

/** A comment or a tag, to its end. A `>` in a quoted value ends no tag. */
const tag = /<!--.*?(?:-->|$)|<\/?[a-z](?:=\s*(?:"[^"]*"?|'[^']*'?)|[^>])*>?/gis;
/** A value, or a name. */
const attributePart = /=\s*(?:"[^"]*"?|'[^']*'?|[^\s>]*)|[^\s=/>]+/g;
const refused = /^(?:style|on\w+)$/i;

/** HTML as a document that loads and runs nothing. What said `style` is in `data-style`. */
export function parseHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(disarmHtml(html), 'text/html').body;
}
