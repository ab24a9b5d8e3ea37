import type { BrowserContextOptions, Page } from 'playwright-core';
import { testPassword } from '../../server/test/make.ts';
import { type ServedApp, serveToBrowser } from '../../server/test/serve-to-browser.ts';

export interface OpenDashboard extends ServedApp {
  /** A new window of a person who is signed in; `user` is that person. */
  signIn(email: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same in an existing window without a signed-in person. */
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
      const page = await context.newPage();
      await signInOn(page, email);
      return page;
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
