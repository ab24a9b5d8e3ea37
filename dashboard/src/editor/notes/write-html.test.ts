import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeShowNotes } from '../../../../server/src/lib/html/sanitize-show-notes.ts';
import type { NotesNode } from './document.ts';
import { writeText } from './read-notes.ts';
import { writeHtml } from './write-html.ts';

const text = (words: string, ...marks: string[]): NotesNode => ({
  type: 'text',
  text: words,
  marks: marksOf(...marks),
});
function marksOf(...marks: string[]) {
  return marks.map((type) => ({ type, attrs: { href: 'https://example.com/?a=1&b=2' } }));
}
const node = (type: string, ...content: NotesNode[]): NotesNode => ({ type, content });
const marked = (type: string, ...marks: string[]) => ({ ...node(type), marks: marksOf(...marks) });
const picture: NotesNode = { type: 'picture', attrs: { src: 'https://example.com/a.png' } };
const paragraph = (...content: NotesNode[]) => node('paragraph', ...content);
const document = (...content: NotesNode[]) => node('doc', ...content);
const link = '<a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener">';

describe('HTML', () => {
  it.each([
    [
      'paragraphs',
      [paragraph(text('A & B')), paragraph(text('<C>'))],
      '<p>A &amp; B</p>\n<p>&lt;C&gt;</p>',
    ],
    ['no empty paragraphs', [paragraph(), paragraph(text('A')), paragraph()], '<p>A</p>'],
    ['line breaks', [paragraph(text('A'), node('hardBreak'), text('B'))], '<p>A<br />B</p>'],
    [
      'marks that neighbors share',
      [paragraph(text('a', 'bold'), text('b', 'bold', 'italic'), text('c'))],
      '<p><strong>a<em>b</em></strong>c</p>',
    ],
    [
      'one link of pieces',
      [paragraph(text('a', 'link'), text('b', 'bold', 'link'))],
      `<p>${link}a<strong>b</strong></a></p>`,
    ],
    [
      'tight lists',
      [
        node(
          'bulletList',
          node(
            'listItem',
            paragraph(text('a')),
            node('orderedList', node('listItem', paragraph(text('b')))),
          ),
        ),
      ],
      '<ul><li>a<ol><li>b</li></ol></li></ul>',
    ],
    [
      'items of several paragraphs',
      [node('bulletList', node('listItem', paragraph(text('a')), paragraph(text('b'))))],
      '<ul><li><p>a</p><p>b</p></li></ul>',
    ],
    ['code', [node('codeBlock', text('a < b\n'))], '<pre><code>a &lt; b\n</code></pre>'],
    ['no links without words', [paragraph(text('\u0001', 'link'))], ''],
    [
      'links with a break and a space between their words',
      [paragraph(text('a', 'link'), text(' ', 'bold', 'link'), marked('hardBreak', 'link'))],
      `<p>${link}a<strong> </strong><br /></a></p>`,
    ],
    [
      'links of a picture with the name of a host',
      [paragraph({ ...picture, marks: marksOf('link') })],
      `<p>${link}<img src="https://example.com/a.png" alt="example.com" loading="lazy" referrerpolicy="no-referrer" /></a></p>`,
    ],
    [
      'no headings without words',
      [{ ...node('heading', text(' ', 'bold')), attrs: { level: 2 } }],
      '',
    ],
    [
      'pictures',
      [
        paragraph({
          type: 'picture',
          attrs: { src: 'https://example.com/a.png', alt: '"A"', width: '1' },
        }),
      ],
      '<p><img src="https://example.com/a.png" alt="&quot;A&quot;" loading="lazy" referrerpolicy="no-referrer" /></p>',
    ],
  ])('HTML has %s', (_, content, html) => {
    expect(writeHtml(document(...content))).toBe(html);
    expect(sanitizeShowNotes(html)).toBe(html);
  });

  it('HTML has no link that runs something', () => {
    const marks = [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }];
    expect(writeHtml(document(paragraph({ type: 'text', text: 'a', marks })))).toBe('<p>a</p>');
  });

  it('HTML is exactly what the server stores, for any document', () => {
    fc.assert(
      fc.property(documents, (any) => {
        const html = writeHtml(any);
        expect(sanitizeShowNotes(html)).toBe(html.trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe('plain text', () => {
  it('plain text has paragraphs, lists and addresses', () => {
    const list = node(
      'bulletList',
      node('listItem', paragraph(text('a'))),
      node('listItem', paragraph(text('b'))),
    );
    const notes = document(paragraph(text('See '), text('this', 'link'), text('.')), list);
    expect(writeText(notes)).toBe('See this (https://example.com/?a=1&b=2).\n\n- a\n- b');
  });

  it('plain text does not say an address twice', () => {
    const address = 'https://example.com/?a=1&b=2';
    expect(writeText(document(paragraph(text(address, 'link'))))).toBe(address);
  });
});

const marks = fc.subarray([
  'bold',
  'italic',
  'underline',
  'strike',
  'small',
  'subscript',
  'superscript',
  'code',
  'link',
]);
const words = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom('\u0001', ' ', '\n', '\ufeff', 'a'), minLength: 1 }),
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: words.map((some) => text(some)) },
  { weight: 1, arbitrary: fc.constantFrom(node('hardBreak'), picture) },
);
const inline = fc.tuple(leaf, marks).map(([any, names]) => ({ ...any, marks: marksOf(...names) }));
const { block: blocks } = fc.letrec<{ block: NotesNode; item: NotesNode }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.array(inline).map((content) => paragraph(...content)),
    fc.tuple(fc.integer({ min: 2, max: 6 }), fc.array(inline)).map(([level, content]) => ({
      ...node('heading', ...content),
      attrs: { level },
    })),
    fc.string().map((code) => node('codeBlock', text(code))),
    fc.constant(node('horizontalRule')),
    fc.array(tie('block'), { maxLength: 3 }).map((content) => node('blockquote', ...content)),
    fc
      .tuple(fc.constantFrom('bulletList', 'orderedList'), fc.array(tie('item'), { maxLength: 3 }))
      .map(([type, content]) => node(type, ...content)),
  ),
  item: fc
    .tuple(fc.array(inline), fc.array(tie('block'), { maxLength: 2 }))
    .map(([words, content]) => node('listItem', paragraph(...words), ...content)),
}));
const documents = fc.array(blocks).map((content) => document(...content));
