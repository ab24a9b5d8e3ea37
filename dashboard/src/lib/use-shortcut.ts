import { useEffect, useRef } from 'react';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the shortcut on the person's keyboard: Ctrl K, or ⌘ K. */
export const shortcutName = (key: string): string => (isApple ? `⌘ ${key}` : `Ctrl ${key}`);

/** Reacts to Control (or Command) with a key, wherever the focus is. */
export function useShortcut(key: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isHeld = isApple ? event.metaKey : event.ctrlKey;
      if (!isHeld || event.altKey || event.shiftKey || event.key.toLowerCase() !== key) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [key]);
}
