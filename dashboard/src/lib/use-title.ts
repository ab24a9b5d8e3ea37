import { useEffect } from 'react';

/** Says in the window's title where one is, most specific first: `useTitle('First light', 'Night Signals')`. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), 'Podstead'].join(
    ' – ',
  );
  useEffect(() => {
    document.title = title;
  }, [title]);
}
