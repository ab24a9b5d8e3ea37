import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Player } from '../player.ts';
import type { Recording } from '../recording.ts';
import { Waveform } from '../waveform.tsx';
import {
  type Chapter,
  changeRow,
  inOrder,
  newRow,
  type Row,
  replaceRows,
  toChapter,
  toRow,
} from './chapter.ts';
import { ChapterList } from './chapter-list.tsx';
import { checkRows } from './check-rows.ts';
import { EditorTools } from './editor-tools.tsx';
import { Markers } from './markers.tsx';

interface Props {
  /** In order of time. */
  readonly value: readonly Chapter[];
  readonly onChange: (chapters: Chapter[]) => void;
  readonly recording: Recording;
  /** Undefined: there is no audio. */
  readonly player: Player | undefined;
  /** Finds the chapters in the tags of the audio file; absent if we have no copy of it. */
  readonly loadFileChapters?: (() => Promise<readonly Chapter[]>) | undefined;
}

/** Chapters on the waveform and as a list. Every change is reported at once, and can be undone. */
export function ChaptersEditor(props: Props) {
  const { value, onChange, recording, player, loadFileChapters } = props;
  const { duration, peaks } = recording;
  const { t } = useLingui();
  const { rows, change, undo, redo } = useRows(value, (next) => onChange(next.map(toChapter)));
  const [selectedId, select] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const add = () => {
    const row = newRow(player?.state.seconds ?? rows.at(-1)?.start_seconds ?? 0);
    change(inOrder([...rows, row]));
    select(row.id);
    requestAnimationFrame(() => focusTitle(list.current, row.id));
  };
  const take = (chapters: readonly Chapter[]) => change(replaceRows(rows, chapters));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the buttons inside.
    <div
      ref={list}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 'm' || isTyping(event.target)) return;
        if (!event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          add();
        }
      }}
    >
      {player !== undefined && (
        <Waveform player={player} peaks={peaks}>
          <Markers
            rows={rows}
            duration={duration}
            selectedId={selectedId}
            onSelect={select}
            onMove={(id, seconds, kind) =>
              change(changeRow(rows, id, { start_seconds: seconds }), kind)
            }
          />
        </Waveform>
      )}
      <EditorTools
        addLabel={player === undefined ? t`Add a chapter` : t`Chapter starts here`}
        length={recording}
        onAdd={add}
        onTake={take}
        loadFileChapters={loadFileChapters}
        undo={undo}
        redo={redo}
      />
      <ChapterList
        rows={rows}
        problems={checkRows(rows, recording)}
        selectedId={selectedId}
        onSelect={select}
        onChange={change}
        player={player}
      />
    </div>
  );
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function focusTitle(list: HTMLElement | null, id: string): void {
  list?.querySelector<HTMLInputElement>(`[data-chapter="${id}"] input[placeholder]`)?.focus();
}

interface Rows {
  readonly rows: readonly Row[];
  change(rows: readonly Row[], kind?: string): void;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

/** The chapters, each with an identity. A new value from outside replaces them. */
function useRows(value: readonly Chapter[], onChange: (rows: readonly Row[]) => void): Rows {
  const history = useUndo<readonly Row[]>(() => value.map(toRow));
  const known = useRef<readonly Chapter[]>(value);
  const { present, reset } = history;
  const report = (rows: readonly Row[]) => {
    const written = rows.filter(({ isNew }) => !isNew);
    known.current = written;
    onChange(written);
  };
  useEffect(() => {
    if (areAlike(known.current, value)) return;
    known.current = value;
    reset(value.map(toRow));
  }, [value, reset]);
  const reported = (step: (() => readonly Row[]) | undefined) => step && (() => report(step()));
  return {
    rows: present,
    change(rows, kind) {
      history.change(rows, kind);
      report(rows);
    },
    undo: reported(history.undo),
    redo: reported(history.redo),
  };
}

function areAlike(one: readonly Chapter[], other: readonly Chapter[]): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((chapter, index) => isAlike(chapter, other[index])))
  );
}

function isAlike(one: Chapter, other: Chapter | undefined): boolean {
  return (
    other !== undefined &&
    one.start_seconds === other.start_seconds &&
    one.end_seconds === other.end_seconds &&
    one.title === other.title &&
    one.image_url === other.image_url &&
    one.link_url === other.link_url &&
    one.hidden === other.hidden
  );
}

const kept = 100;

interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** Consecutive changes of one kind, such as typing in one field, are undone together. */
  readonly kind: string;
}

interface Undo<T> {
  readonly present: T;
  change(next: T, kind?: string): void;
  /** The value was replaced from outside, so there is nothing to undo. */
  reset(next: T): void;
  readonly undo: (() => T) | undefined;
  readonly redo: (() => T) | undefined;
}

function useUndo<T>(initial: () => T): Undo<T> {
  const [history, setHistory] = useState<History<T>>(() => ({
    past: [],
    present: initial(),
    future: [],
    kind: '',
  }));
  const { past, present, future } = history;
  const [last, next] = [past.at(-1), future[0]];
  return {
    present,
    change: (value, kind = '') =>
      setHistory((before) => ({
        past:
          kind !== '' && kind === before.kind
            ? before.past
            : [...before.past, before.present].slice(-kept),
        present: value,
        future: [],
        kind,
      })),
    reset: (value) => setHistory({ past: [], present: value, future: [], kind: '' }),
    undo:
      last === undefined
        ? undefined
        : () => {
            const rest = past.slice(0, -1);
            setHistory({ past: rest, present: last, future: [present, ...future], kind: '' });
            return last;
          },
    redo:
      next === undefined
        ? undefined
        : () => {
            const rest = future.slice(1);
            setHistory({ past: [...past, present], present: next, future: rest, kind: '' });
            return next;
          },
  };
}
