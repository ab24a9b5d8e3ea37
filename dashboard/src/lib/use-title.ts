import { useEffect } from 'react';

/**
 * Sets the window's title, most specific part first: `useTitle('First light', 'Night Signals')`.
 */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), 'Podstead'].join(
    ' – ',
  );
  useEffect(() => {
    document.title = title;
  }, [title]);
}
