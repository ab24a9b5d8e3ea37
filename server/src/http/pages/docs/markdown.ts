import { Marked, Renderer } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';
import { slugify } from '../../../lib/slug.ts';
import { Html } from '../../responses/html.ts';

/** For our own documents, in which `<API_KEY>` is text and not a tag. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // Long lines scroll, also by keyboard.
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      const table = Renderer.prototype.table.call(this, token);
      return `<div class="scroll text-table" tabindex="0">${table}</div>\n`;
    },
    heading({ depth, text, tokens }) {
      const tag = `h${depth}`;
      return `<${tag} id="${idOfHeading(text)}">${this.parser.parseInline(tokens)}</${tag}>\n`;
    },
  },
});

/** The fragment of a link to a section. */
export function idOfHeading(text: string): string {
  return slugify(text) ?? '';
}

export function renderMarkdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** One line, without a surrounding paragraph. */
export function renderMarkdownLine(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }));
}
