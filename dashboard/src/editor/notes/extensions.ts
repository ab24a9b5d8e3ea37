import Link from '@tiptap/extension-link';
import { type Extensions, Mark, Node } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { tryNormalizeLink } from '../../../../server/src/lib/html/link.ts';
import { linkProtocols } from '../../../../server/src/lib/html/show-notes-elements.ts';
import { keptPlaceholder, picturePlaceholder } from './placeholders.ts';
import { createTimestamps } from './timestamps.ts';

interface NotesOptions {
  /** Somebody pressed a time in the text. */
  readonly onTimestamp: (seconds: number) => void;
}

/** Everything that show notes may contain. Elements without a button are kept as they are. */
export function createExtensions({ onTimestamp }: NotesOptions): Extensions {
  return [
    StarterKit.configure({
      heading: { levels: [2, 3, 4, 5, 6] },
      link: false,
      // Off, because it would change a text that nobody has edited.
      trailingNode: false,
    }),
    Link.configure({
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      isAllowedUri: (address) => tryNormalizeLink(address, linkProtocols) !== undefined,
      HTMLAttributes: { target: null, rel: null, class: null },
    }),
    simpleMark('subscript', 'sub'),
    simpleMark('superscript', 'sup'),
    simpleMark('small', 'small'),
    picture,
    kept,
    createTimestamps(onTimestamp),
  ];
}

function simpleMark(name: string, tag: string): Mark {
  return Mark.create({
    name,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });
}

const picture = Node.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ src: {}, alt: {}, width: {}, height: {} }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ node }) => {
    const { src, words } = picturePlaceholder(node.attrs['src'], node.attrs['alt']);
    return ['span', { 'data-picture': '', title: src }, words];
  },
});

/** A table or a list of terms: shown, and changed in the source. */
const kept = Node.create({
  name: 'kept',
  group: 'block',
  atom: true,
  addAttributes: () => ({ html: { rendered: false }, text: { rendered: false } }),
  parseHTML: () =>
    ['table', 'dl'].map((tag) => ({
      tag,
      getAttrs: (element) => ({ html: writeKept(element), text: keptPlaceholder(element) }),
    })),
  renderHTML: ({ node }) => ['div', { 'data-kept': '' }, String(node.attrs['text'])],
});

/** The server's form: elements without attributes, except links and pictures. */
function writeKept(element: HTMLElement): string {
  return new XMLSerializer().serializeToString(element).replace(/ xmlns="[^"]*"/g, '');
}
