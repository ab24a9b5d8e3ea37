import { Trans } from '@lingui/react/macro';
import { EditorContent } from '@tiptap/react';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import {
  type EarlyAction,
  type Opening,
  pressKey,
  restorePosition,
  typeText,
} from './early-actions.ts';
import { LinkDialog } from './link-dialog.tsx';
import styles from './notes.module.css';
import type { NotesProps } from './notes-field.tsx';
import { NotesFrame } from './notes-frame.tsx';
import { NotesToolbar } from './notes-toolbar.tsx';
import { SourceView } from './source-view.tsx';
import { useNotesEditor } from './use-notes-editor.ts';
import { useTools } from './use-tools.ts';

interface Props extends NotesProps {
  readonly opening: Opening;
}

export function NotesEditor({ opening, ...props }: Props) {
  const { label, html, onChange, onBlur, currentTime, isReadOnly = false } = props;
  const id = useId();
  const { editor, showsAll } = useNotesEditor({ ...props, labelledBy: id });
  const [showsSource, setShowsSource] = useState(!showsAll);
  const [editsLink, setEditsLink] = useState(false);
  const tools = useTools({ editor, onLink: () => setEditsLink(true), currentTime });
  const act = (first: EarlyAction) => {
    if (first.kind === 'text') typeText(editor, first.text);
    else if (first.kind === 'key') pressKey(editor, first.press);
    else if (first.kind === 'tool') tools.act(first.tool);
    else if (first.kind === 'source') setShowsSource(true);
    else if (first.html === '') editor.view.pasteText(first.text);
    else editor.view.pasteHTML(first.html);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, to restore the cursor.
  useLayoutEffect(() => {
    if (showsAll) restorePosition(editor, opening.place);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the earlier actions.
  useEffect(() => {
    if (showsAll) opening.acts.forEach(act);
  }, []);
  return (
    <NotesFrame
      id={id}
      label={label}
      onBlur={onBlur}
      notice={
        !showsAll && (
          <Notice tone="warn">
            <Trans>
              These notes have parts that the editor cannot show. They stay as they are in the
              source.
            </Trans>
          </Notice>
        )
      }
      toolbar={
        <NotesToolbar
          states={tools.states}
          onTool={tools.act}
          showsSource={showsSource}
          onSource={setShowsSource}
          hasTime={currentTime !== undefined}
          isDisabled={isReadOnly}
        />
      }
    >
      {showsSource ? (
        <SourceView html={html} label={label} onChange={onChange} isReadOnly={isReadOnly} />
      ) : (
        <EditorContent editor={editor} className={styles['content'] ?? ''} />
      )}
      {editsLink && <LinkDialog editor={editor} onClose={() => setEditsLink(false)} />}
    </NotesFrame>
  );
}
