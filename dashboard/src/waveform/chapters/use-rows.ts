import { useEffect, useRef } from 'react';
import { type Chapter, type Row, toRow } from './chapter.ts';
import { useUndo } from './use-undo.ts';

interface Rows {
  readonly rows: readonly Row[];
  change(rows: readonly Row[], kind?: string): void;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

/** The chapters, each with an identity. A new value from outside replaces them. */
export function useRows(value: readonly Chapter[], onChange: (rows: readonly Row[]) => void): Rows {
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
