import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessibleTwice } from '../../server/test/expect-accessible.ts';
import { type OpenDashboard, watchFailures } from './open-dashboard.ts';

/** Of a laptop and of a phone. */
const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 900 },
] as const;

/** Expects that axe finds nothing on these screens, on a laptop and on a phone, light and dark. */
export async function expectAccessibleScreens(
  dashboard: OpenDashboard,
  email: string,
  paths: readonly string[],
): Promise<void> {
  const page = await dashboard.signIn(email, { bypassCSP: true });
  const failures = watchFailures(page);
  for (const path of paths) {
    await openScreen(page, dashboard.service + path);
    await expectAccessibleTwice(page, sizes);
  }
  expect(failures).toEqual([]);
  await page.context().close();
}

async function openScreen(page: Page, address: string): Promise<void> {
  await page.setViewportSize(sizes[0]);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(untilSettled);
}

/**
 * In the page: resolves when nothing is loading and nothing has changed for half a second. An idle network
 * would say less: on a slow machine it may be idle before the screen requests what it shows.
 */
const untilSettled = `
  new Promise((done) => {
    const isLoading = () =>
      [...document.querySelectorAll('[role=status]')].some(({ textContent }) => /^Loading/.test(textContent));
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isLoading()) return wait();
        changes.disconnect();
        done();
      }, 500);
    };
    const changes = new MutationObserver(wait);
    changes.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
    wait();
  })`;

const forFingers = { 'target-size': { enabled: true } };

/** The same of what people open on one screen: dialogs, menus. Each step begins on a fresh screen. */
export async function expectAccessibleSteps(
  dashboard: OpenDashboard,
  email: string,
  path: string,
  steps: readonly ((page: Page) => Promise<void>)[],
): Promise<void> {
  const page = await dashboard.signIn(email, { bypassCSP: true });
  const failures = watchFailures(page);
  const opened = page.locator('[role=dialog], [role=menu]');
  for (const step of steps) {
    await openScreen(page, dashboard.service + path);
    await step(page);
    await page.evaluate(untilSettled);
    const before = await opened.count();
    await expectAccessibleTwice(page, sizes, forFingers);
    // What the step has opened is still open in the narrow window.
    expect(await opened.count()).toBe(before);
  }
  expect(failures).toEqual([]);
  await page.context().close();
}
