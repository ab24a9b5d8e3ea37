import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openWindow } from '../../player/test/spare-windows.ts';
import { createSession } from '../../server/src/domain/access/sessions/index.ts';
import { findCredentials } from '../../server/src/domain/foundation/accounts/index.ts';
import { createSessionCookie } from '../../server/src/http/app/session-cookie.ts';
import { testPassword } from '../../server/test/make.ts';
import { type ServedApp, serveToBrowser } from '../../server/test/serve-to-browser.ts';

export interface OpenDashboard extends ServedApp {
  /** An empty window of a person who is signed in already. Close its context. */
  signIn(email: string, options?: BrowserContextOptions): Promise<Page>;
  /** Types the password in an existing window without a signed-in person. */
  signInOn(page: Page, email: string): Promise<void>;
}

/** A real server with the built app (`npm run dashboard`), and a real browser. */
export async function openDashboard(
  settings: Record<string, string> = {},
  browserArguments: readonly string[] = [],
): Promise<OpenDashboard> {
  const served = await serveToBrowser(settings, browserArguments);
  // Cookies live by the browser's clock.
  served.app.clock.set(new Date());
  const signInOn = async (page: Page, email: string) => {
    await page.goto(`${served.service}/app/sign-in?next=/app`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${served.service}/app`);
  };
  return {
    ...served,
    signInOn,
    async signIn(email, options = {}) {
      const page = await openWindowOf(served, options);
      await page.context().addCookies([await startSession(served, email)]);
      return page;
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

const usual: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  locale: 'en-GB',
  // Tests that cut the network do so between the page and the server.
  serviceWorkers: 'block',
};

/** For tests that count what a new browser requests, or run scripts before those of the page. */
export const newBrowser: BrowserContextOptions = { serviceWorkers: 'block' };

/** The options that several tests have. */
const common: ReadonlySet<string> = new Set(['bypassCSP', 'locale', 'timezoneId']);

async function openWindowOf(
  { browser, service }: ServedApp,
  options: BrowserContextOptions,
): Promise<Page> {
  const all = { ...usual, ...options };
  if (Object.keys(options).every((name) => common.has(name))) {
    return await openWindow(browser, all, { origins: [service], exit: `${service}/favicon.svg` });
  }
  return await (await browser.newContext(all)).newPage();
}

/** The cookie of a new session. Typing the password on the page would take a second in each test. */
async function startSession({ app, service }: ServedApp, email: string) {
  const user = await findCredentials(app.ctx, email);
  const client = {
    network: '198.51.100.0',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const signedIn = user && (await createSession(app.ctx, { ...user, userId: user.id }, client));
  if (signedIn === undefined) throw new Error(`${email} has no account`);
  const [name = ''] = createSessionCookie(service).keep('', new Date()).split('=', 1);
  return { name, value: signedIn.token, url: service, sameSite: 'Lax' } as const;
}

/** Errors of a page that nobody sees: exceptions, failed loads, policy violations. */
export function watchFailures(page: Page): string[] {
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(`console: ${message.text()}`);
  });
  return failures;
}

/** Waits until the browser has stored typed text, which happens just after the page shows it. */
export async function waitUntilKept(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate<string>(keptDrafts)).toContain(text);
}

/** The drafts in the browser's storage, as JSON. */
export const keptDrafts = `new Promise((done, fail) => {
  const opening = indexedDB.open('podstead-drafts');
  opening.onerror = fail;
  opening.onsuccess = () => {
    const all = opening.result.transaction('drafts').objectStore('drafts').getAll();
    all.onerror = fail;
    all.onsuccess = () => {
      opening.result.close();
      done(JSON.stringify(all.result));
    };
  };
})`;
