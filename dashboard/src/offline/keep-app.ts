import { removeCopies } from './kept-copies.ts';

/** After the first screen, which needs the network for itself. */
const pauseMs = 4_000;

/** Has the browser keep the app, so that it opens without a connection. Without it, nothing else changes. */
export function keepApp(): void {
  // Browsers offer it on https and on this machine only.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  setTimeout(() => {
    navigator.serviceWorker.register('/app/worker.js', { scope: '/app' }).catch(() => {});
  }, pauseMs);
}

/** After signing out: the app that was kept is of no use to whoever comes next. */
export async function forgetApp(): Promise<void> {
  await removeCopies();
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration('/app');
  await registration?.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
