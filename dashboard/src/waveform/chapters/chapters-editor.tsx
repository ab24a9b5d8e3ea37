import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../lib/format.ts';
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
  roundTime,
  toChapter,
  toRow,
} from './chapter.ts';
import { ChapterList } from './chapter-list.tsx';
import styles from './chapters.module.css';
import { checkRows } from './check-rows.ts';
import { EditorTools } from './editor-tools.tsx';

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

interface MarkersProps {
  readonly rows: readonly Row[];
  readonly duration: number;
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Moves of one kind in a row are undone at once. */
  readonly onMove: (id: string, seconds: number, kind?: string) => void;
}

/** More would cover the waveform; the list has them all. */
const maxMarkers = 300;

/** Where the chapters begin, on the waveform. */
function Markers({ rows, duration, selectedId, onSelect, onMove }: MarkersProps) {
  return rows
    .slice(0, maxMarkers)
    .map((row) => (
      <Marker
        key={row.id}
        row={row}
        duration={duration}
        isSelected={row.id === selectedId}
        onSelect={() => onSelect(row.id)}
        onMove={(seconds, kind) => onMove(row.id, seconds, kind)}
      />
    ));
}

interface MarkerProps {
  readonly row: Row;
  readonly duration: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onMove: (seconds: number, kind?: string) => void;
}

function Marker({ row, duration, isSelected, onSelect, onMove }: MarkerProps) {
  const { t } = useLingui();
  const [dragged, setDragged] = useState<number>();
  const movedTo = useRef<number>(undefined);
  const drag = (to: number | undefined) => {
    movedTo.current = to;
    setDragged(to);
  };
  const seconds = dragged ?? row.start_seconds;
  const timeAt = (event: PointerEvent<HTMLElement>) => {
    const picture = event.currentTarget.parentElement?.getBoundingClientRect();
    if (picture === undefined) return seconds;
    const share = (event.clientX - picture.left) / picture.width;
    return roundTime(Math.max(0, Math.min(1, share)) * duration);
  };
  const title = row.title || t`Untitled`;
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles['marker']}
      data-selected={isSelected || undefined}
      data-hidden={row.hidden || undefined}
      style={{ left: `${(100 * Math.min(seconds, duration)) / (duration || 1)}%` }}
      title={title}
      aria-label={t`Start of ${title}`}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={seconds}
      aria-valuetext={formatDuration(seconds)}
      onFocus={onSelect}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(timeAt(event));
      }}
      onPointerUp={() => {
        // Not what was drawn: React may draw the last move later.
        if (movedTo.current !== undefined) onMove(movedTo.current);
        drag(undefined);
      }}
      onPointerCancel={() => drag(undefined)}
      onKeyDown={(event) => {
        const moved = moveByKey(event, row.start_seconds, duration);
        if (moved === undefined) return;
        event.preventDefault();
        onMove(moved, `move ${row.id}`);
      }}
    />
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** A second, with Shift a tenth of it. */
function moveByKey(event: KeyboardEvent, start: number, duration: number): number | undefined {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const by = event.shiftKey ? step / 10 : step;
  return roundTime(Math.min(duration, start + by));
}
