import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/*
 * A new window costs as much as showing two screens: its process starts, then reads and compiles the
 * scripts of the page. So a window that a test closes is emptied for the next test of this process. What
 * stays are the files that its origin allows to keep.
 */

/** Where a test goes with its window. */
interface Visit {
  /** What they have stored in the browser is removed. */
  readonly origins: readonly string[];
  /** A small page of the same site: for another site, the browser would start another process. */
  readonly exit: string;
}

interface Window {
  readonly page: Page;
  readonly options: BrowserContextOptions;
  readonly devTools: CDPSession;
  end(): Promise<void>;
}

/** Empty ones, the latest last. Each needs memory. */
const spare: Window[] = [];
const mostSpare = 4;
const visits = new WeakMap<Page, Visit>();

/** A window without cookies. Closing its context empties it for the next test with the same options. */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions,
  visit: Visit,
): Promise<Page> {
  const { page } = takeSpare(browser, options) ?? (await createWindow(browser, options));
  visits.set(page, visit);
  return page;
}

function takeSpare(browser: Browser, options: BrowserContextOptions): Window | undefined {
  const wanted = JSON.stringify(options);
  const index = spare.findLastIndex(
    (window) =>
      JSON.stringify(window.options) === wanted && window.page.context().browser() === browser,
  );
  const [found] = index === -1 ? [] : spare.splice(index, 1);
  return found?.page.isClosed() ? undefined : found;
}

async function createWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const close = context.close.bind(context);
  const window = { page, options, devTools: await context.newCDPSession(page), end: close };
  let hasCrashed = false;
  page.once('crash', () => {
    hasCrashed = true;
  });
  context.close = async () => {
    if (spare.includes(window)) return;
    const isEmpty = !hasCrashed && !page.isClosed() && (await empty(window));
    if (!isEmpty) return await close();
    spare.push(window);
    if (spare.length > mostSpare) await spare.shift()?.end();
  };
  return window;
}

/** What tests listen to. */
const events = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'request',
  'requestfailed',
  'response',
];

/** Removes everything that a test or its page has left. False if that fails, as without a server. */
async function empty({ page, options, devTools }: Window): Promise<boolean> {
  const context = page.context();
  const { origins = [], exit = '' } = visits.get(page) ?? {};
  for (const event of events) page.removeAllListeners(event);
  try {
    await Promise.all(context.pages().map((other) => (other === page ? null : other.close())));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    // A page may ask before it is left with something unsaved.
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(exit, { timeout: 10_000 });
    page.removeAllListeners('dialog');
    await page.evaluate("sessionStorage.clear(); name = ''");
    for (const origin of origins) {
      await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    }
    await context.clearCookies();
    await context.clearPermissions();
    await page.mouse.move(0, 0);
    if (options.viewport) await page.setViewportSize(options.viewport);
    await page.emulateMedia({
      media: null,
      colorScheme: 'light',
      reducedMotion: 'no-preference',
      forcedColors: 'none',
    });
    return true;
  } catch {
    return false;
  }
}
