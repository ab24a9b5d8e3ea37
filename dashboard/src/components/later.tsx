import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its content after what stands around it can be seen. React does so in pieces of a few
 * milliseconds, between which the page answers.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : null;
}
