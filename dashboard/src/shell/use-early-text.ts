import { useLayoutEffect, useRef } from 'react';

/**
 * Collects text that is typed while the code of a field is loading. Calling the result, when the
 * field has the focus, ends this and returns the text.
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
      // These keys must not press the focused button below.
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
