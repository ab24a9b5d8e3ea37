import { useEffect, useState } from 'react';

/** Something that the palette does. */
export interface Action {
  readonly id: string;
  readonly name: string;
  readonly act: () => unknown;
}

/** What the open screen offers to the palette, by the parts of it that do. */
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

/** A dialog that the palette opens on a screen, which may have to be opened first. */
export type Wish = 'new-episode' | 'invite';

let wished: Wish | undefined;
const listeners = new Set<() => void>();

export function wishFor(wish: Wish): void {
  wished = wish;
  for (const listener of listeners) listener();
}

/** Fulfils a wish, once. */
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
