import { Marked } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';
import { Html } from '../../html.ts';

/** Our own documents, in which `<API_KEY>` is a word and never a tag. */
const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

export function renderMarkdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** One line, without a paragraph around it. */
export function renderMarkdownLine(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }));
}
