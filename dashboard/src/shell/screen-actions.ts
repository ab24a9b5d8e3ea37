import { useEffect, useState } from 'react';

/** An action of the palette. */
export interface Action {
  readonly id: string;
  readonly name: string;
  readonly act: () => unknown;
}

/** The actions that parts of the open screen offer to the palette. */
const offers = new Map<object, readonly Action[]>();

export const offeredActions = (): readonly Action[] => [...offers.values()].flat();

/** While the caller is shown, the palette has these actions. */
export function useScreenActions(actions: readonly Action[]): void {
  const [key] = useState(() => ({}));
  useEffect(() => {
    offers.set(key, actions);
    return () => void offers.delete(key);
  });
}

/** A dialog that the palette wants to open on a screen, which may have to be opened first. */
export type Wish = 'new-episode' | 'invite';

let wished: Wish | undefined;
const listeners = new Set<() => void>();

export function wishFor(wish: Wish): void {
  wished = wish;
  for (const listener of listeners) listener();
}

/** Opens the wanted dialog, once. */
export function useWish(wish: Wish, fulfil: () => void): void {
  useEffect(() => {
    const look = () => {
      if (wished !== wish) return;
      wished = undefined;
      fulfil();
    };
    look();
    listeners.add(look);
    return () => void listeners.delete(look);
  }, [wish, fulfil]);
}
