import { generateJSON } from '@tiptap/react';
import { cleanHtml } from './clean-html.ts';
import { parseHtml } from './disarm-html.ts';
import { dropForbidden, type NotesNode, stringAttribute } from './document.ts';
import { createExtensions } from './extensions.ts';
import type { Notes } from './notes-field.tsx';
import { writeHtml } from './write-html.ts';

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

/**
 * Show notes as plain text, for apps that show no formatting: a blank line between paragraphs, list
 * items with a dash or a number, links as `words (address)`.
 */
export function writeText(document: NotesNode): string {
  return writeBlocks(document.content ?? []);
}

function writeBlocks(nodes: readonly NotesNode[]): string {
  return nodes
    .map(writeBlock)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function writeBlock(node: NotesNode): string {
  const content = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return writeInline(content).trim();
    case 'codeBlock':
      return content.map(({ text = '' }) => text).join('');
    case 'bulletList':
      return writeItems(content, () => '- ');
    case 'orderedList':
      return writeItems(content, (index) => `${index + 1}. `);
    case 'kept':
      return stringAttribute(node, 'text');
    default:
      return writeBlocks(content);
  }
}

function writeItems(items: readonly NotesNode[], mark: (index: number) => string): string {
  return items
    .map((item, index) => {
      const lines = (item.content ?? []).map(writeBlock).join('\n').split('\n');
      return mark(index) + lines.join('\n  ');
    })
    .join('\n');
}

function writeInline(nodes: readonly NotesNode[]): string {
  let text = '';
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'hardBreak') text += '\n';
    text += dropForbidden(node.text ?? '');
    const href = hrefOf(node);
    // A link may be several pieces, with different marks.
    if (href === undefined || href === hrefOf(nodes[index + 1])) continue;
    const address = href.replace(/^mailto:/, '');
    if (!text.endsWith(address)) text += ` (${address})`;
  }
  return text;
}

function hrefOf(node: NotesNode | undefined): string | undefined {
  const link = node?.marks?.find(({ type }) => type === 'link');
  return link === undefined ? undefined : stringAttribute(link, 'href') || undefined;
}
