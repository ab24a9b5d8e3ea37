import { useId, useMemo, useRef } from 'react';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import styles from './notes.module.css';
import { NotesFrame } from './notes-frame.tsx';
import { showNotes } from './notes-shown.ts';
import { NotesToolbar } from './notes-toolbar.tsx';
import { useOpening } from './use-opening.ts';

export interface Notes {
  readonly html: string;
  /** The same as plain text. */
  readonly text: string;
}

export interface NotesProps {
  readonly label: string;
  readonly html: string;
  readonly onChange: (notes: Notes) => void;
  /** The notes as the editor has read them. */
  readonly onReady?: (notes: Notes) => void;
  readonly onBlur?: () => void;
  /** The position of the audio, in seconds; absent without audio. */
  readonly currentTime?: (() => number) | undefined;
  /** Somebody pressed a time in the text. */
  readonly onTimestamp?: ((seconds: number) => void) | undefined;
  readonly isReadOnly?: boolean;
}

/**
 * Show notes as rich text. Most people only read them, so the editor is loaded for those who write.
 */
export function NotesField(props: NotesProps) {
  const { label, html, currentTime, isReadOnly = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { opened, failure, approach, open, record } = useOpening(box);
  const shown = useMemo(() => ({ __html: showNotes(html) }), [html]);
  if (opened !== undefined) return <opened.Editor {...props} opening={opened.opening} />;
  return (
    <NotesFrame
      id={id}
      label={label}
      onApproach={approach}
      notice={failure !== undefined && <LoadingFailed error={failure} retry={open} />}
      toolbar={
        <NotesToolbar
          states={{ undo: { isDisabled: true }, redo: { isDisabled: true } }}
          onTool={(tool) => record({ kind: 'tool', tool })}
          showsSource={false}
          onSource={() => record({ kind: 'source' })}
          hasTime={currentTime !== undefined}
          isDisabled={isReadOnly}
        />
      }
    >
      <div className={styles['content']}>
        {/* biome-ignore lint/a11y/useSemanticElements: no input holds rich text. */}
        <div
          ref={box}
          role="textbox"
          aria-multiline="true"
          aria-labelledby={id}
          className={styles['shown']}
          dir="auto"
          contentEditable={!isReadOnly}
          suppressContentEditableWarning
          tabIndex={isReadOnly ? undefined : 0}
          onFocus={open}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: it has only what show notes may contain.
          dangerouslySetInnerHTML={shown}
        />
      </div>
    </NotesFrame>
  );
}
