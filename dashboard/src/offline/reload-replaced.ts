/**
 * A release replaces the files of the app. If an open window misses one, it loads the new release.
 * Edits of existing things are in the browser's storage; forms for something new are empty
 * afterwards. It does not reload if the network is the cause.
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
