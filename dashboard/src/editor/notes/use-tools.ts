import { type Editor, useEditorState } from '@tiptap/react';
import { formatDuration } from '../../lib/format.ts';
import type { ToolState } from './notes-toolbar.tsx';
import type { ToolId } from './use-tool-names.ts';

interface Options {
  readonly editor: Editor;
  readonly onLink: () => void;
  readonly currentTime?: (() => number) | undefined;
}

interface Tools {
  readonly states: Readonly<Record<ToolId, ToolState>>;
  readonly act: (id: ToolId) => void;
}

/** The state of the tools at the cursor, and their actions. */
export function useTools({ editor, onLink, currentTime }: Options): Tools {
  const states = useEditorState({ editor, selector: readStates });
  const run = () => editor.chain().focus();
  const time = () => `${formatDuration(Math.floor(currentTime?.() ?? 0))} `;
  const acts: Readonly<Record<ToolId, () => void>> = {
    bold: () => run().toggleBold().run(),
    italic: () => run().toggleItalic().run(),
    code: () => run().toggleCode().run(),
    link: onLink,
    heading: () => run().toggleHeading({ level: 2 }).run(),
    smallHeading: () => run().toggleHeading({ level: 3 }).run(),
    list: () => run().toggleBulletList().run(),
    numbered: () => run().toggleOrderedList().run(),
    quote: () => run().toggleBlockquote().run(),
    time: () => run().insertContent(time()).run(),
    undo: () => run().undo().run(),
    redo: () => run().redo().run(),
  };
  return { states, act: (id) => acts[id]() };
}

const readStates = ({ editor }: { readonly editor: Editor }): Record<ToolId, ToolState> => ({
  bold: { isOn: editor.isActive('bold') },
  italic: { isOn: editor.isActive('italic') },
  code: { isOn: editor.isActive('code') },
  link: { isOn: editor.isActive('link') },
  heading: { isOn: editor.isActive('heading', { level: 2 }) },
  smallHeading: { isOn: editor.isActive('heading', { level: 3 }) },
  list: { isOn: editor.isActive('bulletList') },
  numbered: { isOn: editor.isActive('orderedList') },
  quote: { isOn: editor.isActive('blockquote') },
  time: {},
  undo: { isDisabled: !editor.can().undo() },
  redo: { isDisabled: !editor.can().redo() },
});
