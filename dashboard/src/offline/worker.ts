/// <reference lib="webworker" />

/**
 * Holds the files of the app, so that it opens without a connection. Answers of the API are never kept,
 * and of pages only the app's own, which is the same for everybody.
 */
export {};

declare const self: ServiceWorkerGlobalScope;
/** The files of this build, its entry first: the build writes them above this script. */
declare const appFiles: readonly string[];

const prefix = 'podstead-app ';
// Every file's name has the hash of its content, and the entry names all others.
const cacheName = prefix + appFiles[0];
const page = '/app';

self.addEventListener('install', (event) => event.waitUntil(install()));
// Without `skipWaiting`: as long as an older app is open, it finds its own files.
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => event.waitUntil(installAgain()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  // A download, in the place of which nobody wants a page.
  if (pathname.startsWith('/app/api/')) return;
  if (appFiles.includes(pathname)) event.respondWith(findFile(request));
  else if (request.mode === 'navigate') event.respondWith(openPage(event));
});

async function install(): Promise<void> {
  const response = await fetch(page, { cache: 'no-store' });
  const text = await response.clone().text();
  // Signed out, or replaced by another release while this one was installed: there is another attempt.
  if (!response.ok || !text.includes(appFiles[0] ?? '')) throw new Error('no page of this build');
  const cache = await caches.open(cacheName);
  await cache.addAll([...appFiles]);
  // Where the page is, all of them are.
  await cache.put(page, response);
}

/** After a sign-out, or where the browser needed the space. */
async function installAgain(): Promise<void> {
  if ((await caches.match(page)) === undefined) await install();
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
  await self.registration.navigationPreload?.enable();
}

async function findFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** The server has the newest release, and knows whether the person is signed in. */
async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return (await caches.match(page)) ?? Response.error();
  }
}
