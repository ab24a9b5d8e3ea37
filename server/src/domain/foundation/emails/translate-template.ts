/**
 * Replaces each text of a template: the subject line, paragraphs, items of lists, and the label of a
 * button. The catalogs have these texts with their Markdown and placeholders, each on one line.
 */
export function translateTemplate(source: string, translate: (text: string) => string): string {
  const blocks = source.trim().split(/\n{2,}/);
  return blocks.map((block) => translateBlock(block, translate)).join('\n\n');
}

function translateBlock(block: string, translate: (text: string) => string): string {
  if (block.startsWith('- ')) {
    return block
      .split('\n')
      .map((item) => `- ${translate(item.slice(2))}`)
      .join('\n');
  }
  const [, label, link] = /^\[([^\]]+)\]\((\{\w+\})\)$/.exec(block) ?? [];
  if (label !== undefined) return `[${translate(label)}](${link})`;
  return translate(block.replaceAll('\n', ' '));
}
