import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { Extension } from '@tiptap/react';
import { findTimestamps } from '../../../../server/src/lib/html/timestamp.ts';

/** Marks the times in the text that listeners can press, and plays from there. */
export function createTimestamps(onTimestamp: (seconds: number) => void): Extension {
  const key = new PluginKey<DecorationSet>('timestamps');
  return Extension.create({
    name: 'timestamps',
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: (_, { doc }) => decorate(doc),
          apply: (transaction, set) => (transaction.docChanged ? decorate(transaction.doc) : set),
        },
        props: {
          decorations: (state) => key.getState(state),
          handleClick(view, position) {
            const [found] = key.getState(view.state)?.find(position, position) ?? [];
            if (found === undefined) return false;
            onTimestamp(found.spec.seconds);
            // The browser also moves the cursor there.
            return false;
          },
        },
      }),
    ],
  });
}

function decorate(document: Node): DecorationSet {
  const found: Decoration[] = [];
  document.descendants((node, position, parent) => {
    const isVerbatim = parent?.type.name === 'codeBlock' || node.marks.some(isVerbatimMark);
    if (!node.isText || isVerbatim) return;
    for (const { index, text, seconds } of findTimestamps(node.text ?? '')) {
      const from = position + index;
      const attributes = { 'data-timestamp': '' };
      found.push(Decoration.inline(from, from + text.length, attributes, { seconds }));
    }
  });
  return DecorationSet.create(document, found);
}

const isVerbatimMark = ({ type: { name } }: { readonly type: { readonly name: string } }) =>
  name === 'link' || name === 'code';
