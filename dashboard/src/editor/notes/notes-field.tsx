import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { type EarlyAction, type Opening, readPosition } from './early-actions.ts';
import styles from './notes.module.css';
import type { NotesEditor } from './notes-editor.tsx';
import { NotesFrame } from './notes-frame.tsx';
import { showNotes } from './notes-shown.ts';
import { NotesToolbar } from './notes-toolbar.tsx';

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

interface Opened {
  readonly Editor: typeof NotesEditor;
  readonly opening: Opening;
}

interface UseOpening {
  /** The editor, after it has replaced the box. */
  readonly opened: Opened | undefined;
  readonly failure: unknown;
  /** Loads the editor without showing it. */
  readonly approach: () => void;
  readonly open: () => void;
  /** Opens the editor and repeats there what the person did in the box. */
  readonly record: (act: EarlyAction) => void;
}

const load = () => import('./notes-editor.tsx');

/**
 * Opens the editor in place of a box. Text that is typed into the box meanwhile goes to the editor.
 */
function useOpening(box: RefObject<HTMLElement | null>): UseOpening {
  const [opened, setOpened] = useState<Opened>();
  const [failure, setFailure] = useState<unknown>();
  const acts = useRef<EarlyAction[]>([]);
  /** The editor waits for the end of a text composition, or of a selection with the pointer. */
  const ready = useRef<Promise<unknown>>(undefined);
  const isOpening = useRef(false);
  const open = async () => {
    if (isOpening.current) return;
    isOpening.current = true;
    try {
      const { NotesEditor: Editor } = await load();
      while (ready.current !== undefined) await ready.current;
      const place = box.current;
      if (place === null) return;
      const opening = { place: readPosition(place), acts: acts.current };
      flushSync(() => setOpened({ Editor, opening }));
    } catch (error) {
      setFailure(error);
    } finally {
      isOpening.current = false;
    }
  };
  const record = (act: EarlyAction) => {
    acts.current.push(act);
    void open();
  };
  useRecording(box, { open: () => void open(), record }, ready);
  return {
    opened,
    failure,
    approach: () => void load().catch(() => {}),
    open: () => void open(),
    record,
  };
}

/** The box itself is never changed. */
function useRecording(
  box: RefObject<HTMLElement | null>,
  acts: Pick<UseOpening, 'open' | 'record'>,
  ready: RefObject<Promise<unknown> | undefined>,
): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    const waitFor = (target: EventTarget, ...ends: readonly string[]) => {
      const wait = new Promise((resolve) => {
        for (const end of ends) target.addEventListener(end, resolve, { once: true, signal });
      });
      ready.current = wait.finally(() => {
        ready.current = undefined;
      });
    };
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      handle: (event: HTMLElementEventMap[Name]) => void,
    ) => place.addEventListener(name, handle, { signal });
    listen('pointerdown', () => waitFor(window, 'pointerup', 'pointercancel'));
    // A read-only box gets no focus.
    listen('click', () => latest.current.open());
    listen('compositionstart', () => waitFor(place, 'compositionend'));
    listen('compositionend', ({ data }) => latest.current.record({ kind: 'text', text: data }));
    listen('keydown', (event) => {
      if (!isFormat(event)) return;
      event.preventDefault();
      const { key, ctrlKey, metaKey } = event;
      latest.current.record({ kind: 'key', press: { key, ctrlKey, metaKey } });
    });
    listen('beforeinput', (event) => {
      if (!event.cancelable) return;
      event.preventDefault();
      const act = readInput(event);
      if (act !== undefined) latest.current.record(act);
    });
    for (const name of ['paste', 'drop'] as const) {
      listen(name, (event) => {
        event.preventDefault();
        const data = event instanceof ClipboardEvent ? event.clipboardData : event.dataTransfer;
        const [html = '', text = ''] = ['text/html', 'text/plain'].map((type) =>
          data?.getData(type),
        );
        latest.current.record({ kind: 'paste', html, text });
      });
    }
    return () => listening.abort();
  }, [box, ready]);
}

const keys: Readonly<Record<string, KeyboardEventInit>> = {
  insertParagraph: { key: 'Enter' },
  insertLineBreak: { key: 'Enter', shiftKey: true },
  deleteContentBackward: { key: 'Backspace' },
};

function readInput({ inputType, data, dataTransfer }: InputEvent): EarlyAction | undefined {
  const press = keys[inputType];
  if (press !== undefined) return { kind: 'key', press };
  const text = data ?? dataTransfer?.getData('text/plain') ?? '';
  return inputType.startsWith('insert') && text !== '' ? { kind: 'text', text } : undefined;
}

/** Shortcuts of the browser itself are not taken. */
const isFormat = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && ['b', 'i', 'u', 'e'].includes(key);
