import { meQuery } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetUser } from '../shell/signed-in-user.ts';
import { removeCopies } from './kept-copies.ts';

/** After the first screen, which needs the network for itself. */
const pauseMs = 4_000;

/** Has the browser keep the app, so that it opens without a connection. Without it, nothing else changes. */
export function keepApp(): void {
  setTimeout(() => {
    // What was kept of others is not opened from now on.
    void queryClient.prefetchQuery(meQuery);
    // Browsers offer it on https and on this machine only.
    if ('serviceWorker' in navigator && !import.meta.env.DEV) void register().catch(() => {});
  }, pauseMs);
}

async function register(): Promise<void> {
  const { active } = await navigator.serviceWorker.register('/app/worker.js', { scope: '/app' });
  // It may have survived a sign-out in another window, without its files.
  active?.postMessage('keep');
}

/** After signing out: the app that was kept is of no use to whoever comes next. */
export async function forgetApp(): Promise<void> {
  forgetUser();
  await removeCopies();
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration('/app');
  await registration?.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
