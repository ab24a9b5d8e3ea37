/// <reference lib="webworker" />

/**
 * Keeps the files of the app, so that it opens without a connection. It never keeps responses of
 * the API, and only one page: the app's own, which is the same for everybody.
 */
export {};

declare const self: ServiceWorkerGlobalScope;
/** The files of this build, its entry first. The build writes them above this script. */
declare const appFiles: readonly string[];

const prefix = 'podstead-app ';
// Every file's name has the hash of its content, and the entry names all others.
const cacheName = prefix + appFiles[0];
const page = '/app';

self.addEventListener('install', (event) => event.waitUntil(install()));
// No `skipWaiting`, so that an older app that is open finds its own files.
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => event.waitUntil(installAgain()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  // A download, which must not be replaced with a page.
  if (pathname.startsWith('/app/api/')) return;
  if (appFiles.includes(pathname)) event.respondWith(findFile(request));
  else if (request.mode === 'navigate') event.respondWith(openPage(event));
});

async function install(): Promise<void> {
  const response = await fetch(page, { cache: 'no-store' });
  const text = await response.clone().text();
  // The person signed out, or a newer release was installed meanwhile; the browser tries again.
  if (!response.ok || !text.includes(appFiles[0] ?? '')) throw new Error('no page of this build');
  const cache = await caches.open(cacheName);
  await cache.addAll([...appFiles]);
  // The page is stored last, so if it is there, all files are.
  await cache.put(page, response);
}

/** Called if the files are gone: after a sign-out, or if the browser needed the space. */
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
    // Of pages that only the server has, the app says that they need a connection.
    return (await caches.match(page)) ?? Response.error();
  }
}
