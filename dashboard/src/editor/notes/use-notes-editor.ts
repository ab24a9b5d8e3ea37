import { type Editor, useEditor } from '@tiptap/react';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { cleanHtml } from './clean-html.ts';
import { cleanPasted } from './clean-pasted.ts';
import { createExtensions } from './extensions.ts';
import type { NotesProps } from './notes-field.tsx';
import { readNotes, showsAllOf } from './read-notes.ts';

interface Options extends NotesProps {
  readonly labelledBy: string;
}

interface NotesEditing {
  readonly editor: Editor;
  /** False: the notes contain something that the editor would lose. */
  readonly showsAll: boolean;
}

/**
 * An editor of `html`. If others change the field, its content is replaced; its own changes do not
 * replace it.
 */
export function useNotesEditor(options: Options): NotesEditing {
  const { html, labelledBy, isReadOnly = false } = options;
  const latest = useRef(options);
  latest.current = options;
  const written = useRef(html);
  const extensions = useMemo(
    () => createExtensions({ onTimestamp: (seconds) => latest.current.onTimestamp?.(seconds) }),
    [],
  );
  const editor = useEditor({
    extensions,
    content: cleanHtml(html).html,
    editable: !isReadOnly,
    // The page's policy refuses styles from scripts; they are in notes.module.css.
    injectCSS: false,
    textDirection: 'auto',
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledBy },
      transformPastedHTML: cleanPasted,
    },
    onUpdate: ({ editor: changed }) => {
      const notes = readNotes(changed.getJSON());
      written.current = notes.html;
      latest.current.onChange(notes);
    },
  });
  // Before the first change.
  useLayoutEffect(() => latest.current.onReady?.(readNotes(editor.getJSON())), [editor]);
  useEffect(() => {
    if (html === written.current) return;
    written.current = html;
    editor.commands.setContent(cleanHtml(html).html, { emitUpdate: false });
  }, [editor, html]);
  useEffect(() => editor.setEditable(!isReadOnly, false), [editor, isReadOnly]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked once, for the opened notes.
  const showsAll = useMemo(() => showsAllOf(html, editor.getJSON()), []);
  return { editor, showsAll };
}
