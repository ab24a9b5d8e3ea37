import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** An episode that two people may edit. */
async function setUp() {
  const { app, service } = dashboard;
  const [ann, ben] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  const podcast = await makePodcast(app.ctx, { owner: ann });
  await addMember(app.ctx, { podcastId: podcast.id, userId: ben.id, role: 'admin' });
  const episode = await makeEpisode(app.ctx, podcast, { title: 'First light', status: 'draft' });
  const stored = async () => {
    const query = app.ctx.db.selectFrom('episodes').select('title').where('id', '=', episode.id);
    return (await query.executeTakeFirstOrThrow()).title;
  };
  const address = `${service}/app/shows/${podcast.id}/episodes/${episode.id}`;
  return { ann, ben, address, stored };
}

const title = (page: Page) => page.getByLabel('Title', { exact: true });
const status = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor();
/** Waits until a window has asked the server who is signed in. */
const toKnow = (page: Page, userId: string) =>
  expect.poll(() => page.evaluate(`localStorage.getItem('podstead:user')`)).toBe(userId);

it('saves nothing in the name of somebody else who signs in in another window', async () => {
  const { ann, ben, address, stored } = await setUp();
  const page = await dashboard.signIn(ann.email);
  await page.goto(address);
  await title(page).waitFor();
  const second = await page.context().newPage();
  await second.goto(`${dashboard.service}/app`);
  await second.getByRole('button', { name: 'Account' }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  expect(await dialog.getByLabel('Email address').inputValue()).toBe(ann.email);
  await dashboard.signInOn(second, ben.email);
  await toKnow(second, ben.id);
  await dialog.waitFor();
  await dialog.getByLabel('Password').fill(testPassword);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await second.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await title(page).fill('By Ann');
  await status(page, 'Saved');
  expect(await stored()).toBe('By Ann');
  await page.context().close();
});

it('opens nothing without a connection that somebody else has kept', async () => {
  const { ann, ben, address } = await setUp();
  const page = await dashboard.signIn(ann.email, { serviceWorkers: 'allow' });
  await page.goto(address);
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await page.context().setOffline(true);
  await title(page).fill('A secret of Ann');
  await status(page, 'Paused, will continue');
  await page.goto('about:blank');
  await page.context().setOffline(false);
  // Her session expires.
  await page.context().clearCookies();
  await dashboard.signInOn(page, ben.email);
  await toKnow(page, ben.id);
  await page.context().setOffline(true);
  await page.goto(address);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await title(page).count()).toBe(0);
  await page.context().close();
});
