import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appPages } from '../../server/src/domain/foundation/addresses.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';
import { makePlaces, openOffline, type Places, titleField } from './open-offline.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const status = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor();

const laterSaved = 'You’re offline. What you type is kept in this browser and saved later.';
const keptUntilSaved =
  'You’re offline. What you type is kept in this browser until you can save it.';
const notSaved = 'You’re offline. You can’t save anything until the connection is back.';

it.each([
  ['a draft', ({ address }: Places) => address, laterSaved],
  ['a public episode', ({ published }: Places) => published, keptUntilSaved],
  ['a form with a button to save', ({ show }: Places) => `${show}/show/texts`, keptUntilSaved],
  ['a form that stores nothing', ({ account }: Places) => account, notSaved],
])('says on %s what becomes of its text', async (_name, pathOf, sentence) => {
  const places = await makePlaces(dashboard);
  const page = await dashboard.signIn(places.owner.email);
  await page.goto(pathOf(places));
  const field = page.getByRole('main').getByRole('textbox').first();
  await field.fill('Typed in a tunnel');
  await page.context().setOffline(true);
  await page.getByText(sentence).waitFor();
  await page.context().close();
});

it('says at once that it is offline, and loads when the connection is back', async () => {
  const { page } = await openOffline(dashboard);
  await page.goto(`${dashboard.service}/app`);
  const waits = page.getByText('You’re offline. This will load as soon as the connection is back.');
  await waits.waitFor({ timeout: 10_000 });
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'A show' }).first().waitFor();
  expect(await waits.count()).toBe(0);
  await page.context().close();
});

it('says after one attempt that the server is away, and loads when it is back', async () => {
  const { owner, show } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  let attempts = 0;
  await page.route('**/app/api/home*', (route) => {
    attempts += 1;
    return route.abort('connectionrefused');
  });
  await page.getByRole('link', { name: 'My shows' }).first().click();
  await page.getByText('Can’t reach the server. Check your connection.').waitFor();
  // Four attempts take seven seconds.
  expect(attempts).toBeLessThan(4);
  await page.unroute('**/app/api/home*');
  await page.getByRole('link', { name: 'A show' }).first().waitFor();
  await page.context().close();
});

it('pages that only the server has say that they need a connection', async () => {
  const { page, show } = await openOffline(dashboard);
  const { signIn, signUp, forgotPassword, resetPassword, emailSent, confirmEmail } = appPages;
  const { confirmSignUp, invitation, ownershipOffer } = appPages;
  // A page that waits for a connection may load itself again, which ends a navigation.
  const open = (url: string, heading: string) =>
    expect
      .poll(async () => {
        await page.goto(url).catch(() => undefined);
        const shown = page.getByRole('heading', { name: heading });
        await shown.waitFor({ timeout: 20_000 }).catch(() => undefined);
        return [page.url(), await shown.count()];
      })
      .toEqual([url, 1]);
  for (const path of [
    ...[signIn, signUp, forgotPassword, resetPassword, emailSent, confirmEmail],
    ...[confirmSignUp, invitation, ownershipOffer],
  ]) {
    await open(`${dashboard.service}${path}`, 'Can’t reach the server');
  }
  await open(`${show}/nowhere`, 'Not found');
  await open(`${dashboard.service}${forgotPassword}`, 'Can’t reach the server');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Send the email' }).waitFor();
  await page.context().close();
});

it('loads the new release where a file of the open one is gone', async () => {
  const { owner, show } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  let isGone = true;
  await page.route('**/app/assets/statistics-*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.route('**/app', async (route) => {
    isGone = false;
    const response = await route.fetch();
    const body = (await response.text()).replace(/index-[^.]+\.js/, 'index-newer.js');
    await route.fulfill({ response, body });
  });
  await page.evaluate('window.isOld = true');
  await page.getByRole('link', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
  expect(await page.evaluate('window.isOld')).toBeUndefined();
  await page.context().close();
});

it('opens and saves an episode whose draft in the browser is broken', async () => {
  const { owner, address, episodeId, stored } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email);
  await page.goto(address);
  await titleField(page).waitFor();
  await page.evaluate(breakDraft(owner.id, episodeId));
  await page.reload();
  await titleField(page).fill('Second light');
  await status(page, 'Saved');
  await expect.poll(async () => (await stored()).title).toBe('Second light');
  await page.context().close();
});

const breakDraft = (userId: string, episodeId: string) => `new Promise((done, fail) => {
  const opening = indexedDB.open('podstead-drafts');
  opening.onerror = fail;
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('drafts', 'readwrite');
    const draft = { version: 1, mine: null };
    const row = { userId: '${userId}', episodeId: '${episodeId}', draft };
    transaction.objectStore('drafts').put(row);
    transaction.onabort = fail;
    transaction.oncomplete = () => {
      opening.result.close();
      done();
    };
  };
})`;
