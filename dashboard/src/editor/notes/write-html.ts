import { tryNormalizeLink } from '../../../../server/src/lib/html/link.ts';
import { nameLinksAndHeadings } from '../../../../server/src/lib/html/name-links-and-headings.ts';
import {
  linkProtocols,
  linkRelation,
} from '../../../../server/src/lib/html/show-notes-elements.ts';
import { dropForbidden, type NotesMark, type NotesNode, stringAttribute } from './document.ts';

/**
 * Writes show notes exactly as the server stores them: sanitizing changes nothing. So the server's
 * response is recognized as the sent text.
 */
export function writeHtml(document: NotesNode): string {
  return writeBlocks(document.content ?? []);
}

function writeBlocks(nodes: readonly NotesNode[]): string {
  return nodes
    .map(writeBlock)
    .filter((html) => html !== '')
    .join('\n');
}

function writeBlock(node: NotesNode): string {
  const content = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
      return wrap('p', writeInline(content));
    case 'heading':
      return nameLinksAndHeadings(wrap(`h${stringAttribute(node, 'level')}`, writeInline(content)));
    case 'blockquote':
      return wrap('blockquote', writeBlocks(content));
    case 'codeBlock':
      return wrap('pre', wrap('code', escapeText(content.map(({ text = '' }) => text).join(''))));
    case 'bulletList':
      return wrap('ul', content.map(writeItem).join(''));
    case 'orderedList':
      return wrap('ol', content.map(writeItem).join(''));
    case 'horizontalRule':
      return '<hr />';
    case 'kept':
      return stringAttribute(node, 'html');
    default:
      return '';
  }
}

/** An item with one paragraph gets no `p`, because apps put space around paragraphs. */
function writeItem(item: NotesNode): string {
  const [first, ...rest] = item.content ?? [];
  if (first?.type !== 'paragraph') return `<li>${writeBlocks(item.content ?? [])}</li>`;
  const text = writeInline(first.content ?? []);
  const isTight = rest.every(({ type = '' }) => type.endsWith('List'));
  const begin = isTight ? text : wrap('p', text);
  return `<li>${begin}${writeBlocks(rest)}</li>`.trim();
}

const wrap = (tag: string, html: string) => (html === '' ? '' : `<${tag}>${html}</${tag}>`);

/** Outermost mark first. */
const markTags: Readonly<Record<string, string>> = {
  link: 'a',
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  small: 'small',
  subscript: 'sub',
  superscript: 'sup',
  code: 'code',
};
const markOrder = Object.keys(markTags);

/** Neighboring texts share their marks: a link whose words are partly bold is one link. */
function writeInline(nodes: readonly NotesNode[]): string {
  const open: Opening[] = [];
  let html = '';
  for (const node of nodes) {
    const marks = openingsOf(node);
    let shared = 0;
    while (shared < open.length && open[shared]?.start === marks[shared]?.start) shared += 1;
    while (open.length > shared) html += `</${open.pop()?.tag}>`;
    for (const opening of marks.slice(shared)) {
      html += opening.start;
      open.push(opening);
    }
    html += writeLeaf(node);
  }
  html += open
    .reverse()
    .map(({ tag }) => `</${tag}>`)
    .join('');
  return nameLinksAndHeadings(html);
}

interface Opening {
  readonly tag: string;
  readonly start: string;
}

function openingsOf({ marks = [] }: NotesNode): Opening[] {
  return [...marks]
    .sort((a, b) => markOrder.indexOf(a.type) - markOrder.indexOf(b.type))
    .map(openingOf)
    .filter((opening) => opening !== undefined);
}

function openingOf(mark: NotesMark): Opening | undefined {
  const tag = markTags[mark.type];
  if (tag === undefined) return undefined;
  if (mark.type !== 'link') return { tag, start: `<${tag}>` };
  const href = tryNormalizeLink(dropForbidden(stringAttribute(mark, 'href')), linkProtocols);
  if (href === undefined) return undefined;
  return { tag, start: `<a href="${escapeAttribute(href)}" rel="${linkRelation}">` };
}

function writeLeaf(node: NotesNode): string {
  if (node.type === 'hardBreak') return '<br />';
  if (node.type === 'picture') return writePicture(node);
  return escapeText(node.text ?? '');
}

function writePicture(node: NotesNode): string {
  const src = tryNormalizeLink(stringAttribute(node, 'src'), ['https:']);
  if (src === undefined) return '';
  const sides = ['width', 'height'].map((name) => [name, stringAttribute(node, name)] as const);
  const attributes = [
    ['src', src],
    ['alt', dropForbidden(stringAttribute(node, 'alt'))],
    ...sides.filter(([, side]) => /^\d{1,4}$/.test(side) && Number(side) > 2),
    ['loading', 'lazy'],
    ['referrerpolicy', 'no-referrer'],
  ] as const;
  return `<img ${attributes.map(([name, value]) => `${name}="${escapeAttribute(value)}"`).join(' ')} />`;
}

function escapeText(text: string): string {
  return dropForbidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const escapeAttribute = (text: string) => escapeText(text).replaceAll('"', '&quot;');
