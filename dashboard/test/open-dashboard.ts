import type { BrowserContextOptions, Page } from 'playwright-core';
import { createBrowser } from '../../server/test/create-browser.ts';
import { testPassword } from '../../server/test/make.ts';
import { type ServedApp, serveToBrowser } from '../../server/test/serve-to-browser.ts';

export interface OpenDashboard extends ServedApp {
  /** A new, empty window of a person who is signed in already. */
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
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    async signIn(email, options = {}) {
      const context = await served.browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        // Tests that cut the network do so between the page and the server.
        serviceWorkers: 'block',
        ...options,
      });
      // Loading the sign-in page and the home screen would take half a second in each test.
      const person = createBrowser(served.app, { headers: { origin: served.service } });
      await person.signIn(email);
      const [name = '', value = ''] = person.cookie?.split('=') ?? [];
      await context.addCookies([{ name, value, url: served.service, sameSite: 'Lax' }]);
      return await context.newPage();
    },
  };
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

/** What the browser keeps of unsaved drafts, as JSON. */
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
