import { useLayoutEffect, useRef } from 'react';

/**
 * Collects what is typed while the code of a field is still loading. The result is for the field
 * that has the focus now: it ends the collecting.
 */
export function useEarlyText(isWaiting: boolean, onEscape: () => void): () => string {
  const take = useRef<() => string>(() => '');
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useLayoutEffect(() => {
    if (!isWaiting) return;
    let text = '';
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') latest.current();
      else if (event.key === 'Backspace') text = text.slice(0, -1);
      else if (event.key.length === 1) text += event.key;
      // What has the focus below must not be pressed by accident.
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    const stop = () => window.removeEventListener('keydown', listen, true);
    window.addEventListener('keydown', listen, true);
    take.current = () => {
      stop();
      take.current = () => '';
      return text;
    };
    return stop;
  }, [isWaiting]);
  return () => take.current();
}
