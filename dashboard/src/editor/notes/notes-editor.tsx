import { Trans, useLingui } from '@lingui/react/macro';
import { EditorContent } from '@tiptap/react';
import { useId, useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { LinkDialog } from './link-dialog.tsx';
import styles from './notes.module.css';
import { NotesToolbar } from './notes-toolbar.tsx';
import { SourceView } from './source-view.tsx';
import { useNotesEditor } from './use-notes-editor.ts';

export interface Notes {
  readonly html: string;
  /** The same without formatting. */
  readonly text: string;
}

export interface NotesEditorProps {
  readonly label: string;
  readonly html: string;
  readonly onChange: (notes: Notes) => void;
  /** The notes as they were opened. */
  readonly onReady?: (notes: Notes) => void;
  readonly onBlur?: () => void;
  /** Where the audio stands, in seconds; absent where there is no audio. */
  readonly currentTime?: (() => number) | undefined;
  /** Somebody pressed a time in the text. */
  readonly onTimestamp?: ((seconds: number) => void) | undefined;
  readonly isReadOnly?: boolean;
}

export function NotesEditor(props: NotesEditorProps) {
  const { label, html, onChange, onBlur, currentTime, isReadOnly = false } = props;
  const { t } = useLingui();
  const id = useId();
  const { editor, showsAll } = useNotesEditor({ ...props, labelledBy: id });
  const [showsSource, setShowsSource] = useState(!showsAll);
  const [editsLink, setEditsLink] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container everywhere.
    <div role="group" aria-labelledby={id} className={styles['notes']} onBlur={onBlur}>
      <span id={id} className={styles['label']}>
        {label}
      </span>
      {!showsAll && (
        <Notice tone="warn">
          <Trans>
            These notes have parts that the editor cannot show. They stay as they are in the source.
          </Trans>
        </Notice>
      )}
      <div className={styles['frame']}>
        <NotesToolbar
          editor={editor}
          label={t`Formatting`}
          showsSource={showsSource}
          onSource={setShowsSource}
          onLink={() => setEditsLink(true)}
          currentTime={currentTime}
          isDisabled={isReadOnly}
        />
        {showsSource ? (
          <SourceView html={html} label={label} onChange={onChange} isReadOnly={isReadOnly} />
        ) : (
          <EditorContent editor={editor} className={styles['content'] ?? ''} />
        )}
      </div>
      {editsLink && <LinkDialog editor={editor} onClose={() => setEditsLink(false)} />}
    </div>
  );
}
