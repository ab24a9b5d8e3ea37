/**
 * A release replaces the files of the app. Where an open window misses one, it loads the new release.
 * Edits of what exists are kept in the browser's storage; forms for something new are empty after it.
 * It does not reload where the network is at fault.
 */
export function reloadWhenReplaced(): void {
  window.addEventListener('vite:preloadError', () => {
    void isReplaced().then((replaced) => {
      if (replaced) window.location.reload();
    });
  });
}

async function isReplaced(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
  if (entry === undefined) return false;
  try {
    const response = await fetch('/app', { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(new URL(entry).pathname);
  } catch {
    return false;
  }
}
