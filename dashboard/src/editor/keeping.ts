import { useEffect, useSyncExternalStore } from 'react';
import type { SaveMode } from './draft-server.ts';
import type { SaveState } from './save-state.ts';

/**
 * What becomes of typed text without a connection: it is stored in this browser, and saved
 * later, or when the person saves it.
 */
export type Keeping = 'saved_later' | 'until_saved';

/** Undefined if the browser does not store it. */
export function keepingOf(
  { storageProblem }: Pick<SaveState, 'storageProblem'>,
  mode: SaveMode,
): Keeping | undefined {
  if (storageProblem !== undefined) return undefined;
  return mode === 'auto' ? 'saved_later' : 'until_saved';
}

/** Of the open forms, in the order in which they were opened. */
const open = new Map<symbol, Keeping>();
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** A form says what becomes of its text while it is open. */
export function useKeeping(keeping: Keeping | undefined): void {
  useEffect(() => {
    if (keeping === undefined) return undefined;
    const form = Symbol('form');
    open.set(form, keeping);
    announce();
    return () => {
      open.delete(form);
      announce();
    };
  }, [keeping]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What holds for every open form; undefined if none stores its text. */
function commonKeeping(): Keeping | undefined {
  const all = [...open.values()];
  return all.includes('until_saved') ? 'until_saved' : all[0];
}

/** What becomes of the text in the open forms. */
export const useCommonKeeping = (): Keeping | undefined =>
  useSyncExternalStore(subscribe, commonKeeping);
