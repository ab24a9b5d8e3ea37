import { generateJSON } from '@tiptap/react';
import { cleanHtml } from './clean-html.ts';
import { parseHtml } from './disarm-html.ts';
import type { NotesNode } from './document.ts';
import { createExtensions } from './extensions.ts';
import type { Notes } from './notes-field.tsx';
import { writeHtml } from './write-html.ts';
import { writeText } from './write-text.ts';

export function readNotes(document: NotesNode): Notes {
  return { html: writeHtml(document), text: writeText(document) };
}

/** The plain text of notes that somebody wrote as HTML. */
export function textOfHtml(html: string): string {
  const extensions = createExtensions({ onTimestamp: () => {} });
  return writeText(generateJSON(cleanHtml(html).html, extensions));
}

/**
 * Whether the editor's document contains everything of the HTML: its words, links, pictures and
 * tables.
 */
export function showsAllOf(html: string, document: NotesNode): boolean {
  const [before, after] = [contentOf(html), contentOf(writeHtml(document))];
  return before.every((part, index) => part === after[index]);
}

function contentOf(html: string): readonly (string | number)[] {
  const body = parseHtml(html);
  const words = (body.textContent ?? '').replace(/\s+/g, '');
  return [words, ...['a', 'img', 'table', 'dl'].map((name) => body.querySelectorAll(name).length)];
}
