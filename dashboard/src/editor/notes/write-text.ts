import { dropForbidden, type NotesNode, stringAttribute } from './document.ts';

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
