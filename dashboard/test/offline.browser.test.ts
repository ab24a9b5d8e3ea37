import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDashboard, openDashboard, waitUntilKept } from './open-dashboard.ts';
import { isKept, makePlaces, openOffline, titleField } from './open-offline.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const status = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor();

it('opens without a connection, with what was not saved, and saves it when the connection is back', async () => {
  const { owner, address, stored } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(address);
  await titleField(page).waitFor();
  expect(await page.evaluate(isKept)).toContain('/app/worker.js');
  await page.context().setOffline(true);
  await titleField(page).fill('Typed in a tunnel');
  await status(page, 'Paused, will continue');
  await waitUntilKept(page, 'Typed in a tunnel');
  await page.reload();
  await titleField(page).waitFor();
  expect(await titleField(page).inputValue()).toBe('Typed in a tunnel');
  await titleField(page).fill('Typed in a tunnel, twice');
  await status(page, 'Paused, will continue');
  expect((await stored()).title).toBe('First light');
  await page.context().setOffline(false);
  await status(page, 'Saved');
  expect((await stored()).title).toBe('Typed in a tunnel, twice');
  await page.context().close();
});

it('keeps no response of the API and no page of a person, and nothing after signing out', async () => {
  const { owner } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  const addresses = `caches.keys()
    .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
    .then((kept) => kept.flat().map(({ url }) => new URL(url).pathname))`;
  const kept = await page.evaluate<string[]>(addresses);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter((path) => !/^\/(?:app\/assets\/[^/]+|app|favicon\.svg)$/.test(path))).toEqual(
    [],
  );
  const shell = await page.evaluate<string>(`caches.match('/app').then((page) => page.text())`);
  expect(shell).not.toContain(owner.email);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/sign-in');
  expect(await page.evaluate(addresses)).toEqual([]);
  expect(
    await page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'),
  ).toBe(0);
  await page.context().close();
});

it('the app is kept again after signing out beside a second window', async () => {
  const { owner } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/sign-in');
  await dashboard.signInOn(page, owner.email);
  const hasPage = `caches.match('/app').then((page) => page !== undefined)`;
  await expect.poll(() => page.evaluate(hasPage)).toBe(true);
  // Its files are there a moment before it handles requests.
  await page.evaluate(isKept);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Account' }).waitFor();
  await page.context().close();
});

it('gives no page in the place of a download', async () => {
  const { page } = await openOffline(dashboard);
  await expect(page.goto(`${dashboard.service}/app/api/account/export`)).rejects.toThrow('ERR_');
  await page.context().close();
});
