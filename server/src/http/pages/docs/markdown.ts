import { Marked } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';
import { slugify } from '../../../lib/slug.ts';
import { Html } from '../../html.ts';

/** Our own documents, in which `<API_KEY>` is a word and never a tag. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // Long lines are scrolled, by keys as well.
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    heading({ depth, text, tokens }) {
      const tag = `h${depth}`;
      return `<${tag} id="${idOfHeading(text)}">${this.parser.parseInline(tokens)}</${tag}>\n`;
    },
  },
});

/** What a link to a section ends with. */
export function idOfHeading(text: string): string {
  return slugify(text) ?? '';
}

export function renderMarkdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** One line, without a paragraph around it. */
export function renderMarkdownLine(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }));
}
