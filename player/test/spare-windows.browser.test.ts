import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestBrowser, type TestBrowser } from './browser.ts';
import { openWindow } from './spare-windows.ts';

let opened: TestBrowser;
let server: Server;
let origin: string;
beforeAll(async () => {
  opened = await openTestBrowser();
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>A page</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await opened[Symbol.asyncDispose]();
});

const open = (options: BrowserContextOptions = { viewport: { width: 500, height: 400 } }) =>
  openWindow(opened.browser, options, { origins: [origin], exit: `${origin}/exit` });

/** Everything that a page finds of an earlier one, but the files that it may keep. */
const readTraces = (page: Page) =>
  page.evaluate<unknown>(`(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' })).state,
    isOnline: navigator.onLine,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    width: innerWidth,
    name: window.name,
    title: document.title,
  }))()`);

it('a window that a test closes has no trace of it in the next test', async () => {
  const page = await open();
  await page.goto(origin);
  const fresh = await readTraces(page);
  await page.evaluate(`(async () => {
    localStorage.setItem('a', '1');
    sessionStorage.setItem('a', '1');
    document.cookie = 'a=1';
    window.name = 'a';
    await caches.open('a');
    await new Promise((done) => { indexedDB.open('a').onsuccess = done; });
    addEventListener('beforeunload', (event) => event.preventDefault());
  })()`);
  const heard: string[] = [];
  page.on('request', (request) => heard.push(request.url()));
  await page.context().route('**/*', (route) => route.fulfill({ body: '<title>Another</title>' }));
  await page.context().grantPermissions(['clipboard-read']);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 300, height: 300 });
  await page.context().setOffline(true);
  await page.context().newPage();
  await page.context().close();
  heard.length = 0;

  const next = await open();
  expect(next).toBe(page);
  expect(next.context().pages()).toEqual([next]);
  await next.goto(origin);
  expect(await readTraces(next)).toEqual(fresh);
  expect(heard).toEqual([]);
  await next.context().close();
});

it('a window with other options, after a crash, or of a page that was closed is a new one', async () => {
  const first = await open();
  const other = await open({ viewport: { width: 700, height: 400 } });
  expect(other).not.toBe(first);
  await first.goto(origin);
  const crashed = first.waitForEvent('crash');
  void first.goto('chrome://crash').catch(() => undefined);
  await crashed;
  await first.context().close();
  const second = await open();
  expect(second).not.toBe(first);
  await second.close();
  await second.context().close();
  const third = await open();
  expect(third).not.toBe(second);
  await third.goto(origin);
  expect(await third.title()).toBe('A page');
  await other.context().close();
  await third.context().close();
});
