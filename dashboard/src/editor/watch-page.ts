import type { SaveEngine } from './save-engine.ts';

/**
 * Tells the engine what happens to the page. A hidden page may never come back, so it is saved at
 * once. Returns a function that ends this.
 */
export function watchPage(engine: Pick<SaveEngine, 'flush' | 'resume'>): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  const flush = () => void engine.flush();
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') flush();
    },
    { signal },
  );
  window.addEventListener('pagehide', flush, { signal });
  window.addEventListener('online', () => void engine.resume(), { signal });
  return () => watching.abort();
}
