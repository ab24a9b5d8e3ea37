import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FirstAct, type Opening, readPlace } from './first-acts.ts';
import type { NotesEditor } from './notes-editor.tsx';

interface Opened {
  readonly Editor: typeof NotesEditor;
  readonly opening: Opening;
}

interface UseOpening {
  /** The editor, once it has taken the place of the box. */
  readonly opened: Opened | undefined;
  readonly failure: unknown;
  /** Loads the editor, and does not show it. */
  readonly approach: () => void;
  readonly open: () => void;
  /** Opens the editor, which then does what somebody did here. */
  readonly record: (act: FirstAct) => void;
}

const load = () => import('./notes-editor.tsx');

/** Opens the editor in the place of a box. What is written into the box meanwhile is for the editor. */
export function useOpening(box: RefObject<HTMLElement | null>): UseOpening {
  const [opened, setOpened] = useState<Opened>();
  const [failure, setFailure] = useState<unknown>();
  const acts = useRef<FirstAct[]>([]);
  /** What the editor has to wait for: a composed word, or a selection that is being drawn. */
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
      const opening = { place: readPlace(place), acts: acts.current };
      flushSync(() => setOpened({ Editor, opening }));
    } catch (error) {
      setFailure(error);
    } finally {
      isOpening.current = false;
    }
  };
  const record = (act: FirstAct) => {
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

/** Nothing is written into the box itself. */
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
    // What nobody may change gets no focus.
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

function readInput({ inputType, data, dataTransfer }: InputEvent): FirstAct | undefined {
  const press = keys[inputType];
  if (press !== undefined) return { kind: 'key', press };
  const text = data ?? dataTransfer?.getData('text/plain') ?? '';
  return inputType.startsWith('insert') && text !== '' ? { kind: 'text', text } : undefined;
}

/** Shortcuts of the browser itself stay with it. */
const isFormat = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && ['b', 'i', 'u', 'e'].includes(key);
