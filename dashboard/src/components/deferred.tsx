import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its content after the parts around it are visible. React does so in pieces of a few
 * milliseconds, so the page stays responsive.
 */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : null;
}
