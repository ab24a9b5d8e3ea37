import { type ReactNode, useDeferredValue } from 'react';

interface Props {
  readonly children: ReactNode;
  /** What is visible until then. Default: nothing. */
  readonly until?: ReactNode;
}

/**
 * Draws its content after the parts around it are visible. React does so in pieces of a few
 * milliseconds, so the page stays responsive.
 */
export function Deferred({ children, until = null }: Props) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : until;
}
