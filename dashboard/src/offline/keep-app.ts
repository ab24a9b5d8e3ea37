import { meQuery } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetUser } from '../shell/signed-in-user.ts';
import { removeCopies } from './kept-copies.ts';

/** Some time after the first screen, which needs the network itself. */
const pauseMs = 4_000;

/**
 * Lets the browser keep the app, so that it opens without a connection. If this fails, nothing else
 * changes.
 */
export function keepApp(): void {
  setTimeout(() => {
    // Copies of other persons are not opened from now on.
    void queryClient.prefetchQuery(meQuery);
    // Browsers have service workers on https and on this machine only.
    if ('serviceWorker' in navigator && !import.meta.env.DEV) void register().catch(() => {});
  }, pauseMs);
}

async function register(): Promise<void> {
  const { active } = await navigator.serviceWorker.register('/app/worker.js', { scope: '/app' });
  // The worker may have survived a sign-out in another window, without its files.
  active?.postMessage('keep');
}

/** Removes the app after signing out: the next person does not need it. */
export async function forgetApp(): Promise<void> {
  forgetUser();
  await removeCopies();
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration('/app');
  await registration?.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
