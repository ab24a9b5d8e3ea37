import { useState } from 'react';

const kept = 100;

interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** Consecutive changes of one kind, such as typing in one field, are undone together. */
  readonly kind: string;
}

export interface Undo<T> {
  readonly present: T;
  change(next: T, kind?: string): void;
  /** The value was replaced from outside, so there is nothing to undo. */
  reset(next: T): void;
  readonly undo: (() => T) | undefined;
  readonly redo: (() => T) | undefined;
}

export function useUndo<T>(initial: () => T): Undo<T> {
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
