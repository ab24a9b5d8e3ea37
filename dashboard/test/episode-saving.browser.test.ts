import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEpisodeDraft } from '../../server/src/domain/publishing/episodes/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, waitUntilKept } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

type Status = 'draft' | 'published';

/** A show with one episode, and the screen of that episode in a window of its owner. */
async function setUp(status: Status = 'draft') {
  const { app, service } = dashboard;
  const ann = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: ann, title: 'Night Signals' });
  const { id } = await makeEpisode(app.ctx, podcast, { status, title: 'First light' });
  const address = `${service}/app/shows/${podcast.id}/episodes/${id}`;
  const open = async (email: string) => {
    const page = await dashboard.signIn(email);
    await show(page, address);
    return page;
  };
  const stored = () =>
    readEpisodeDraft({ ...app.ctx, principal: { kind: 'user', userId: ann.id } }, id);
  return { ann, podcast, address, open, stored, page: await open(ann.email) };
}

async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await title(page).waitFor();
}

const title = (page: Page) => page.getByLabel('Title', { exact: true });
const subtitle = (page: Page) => page.getByLabel('Subtitle');
const status = (page: Page, words: string) =>
  page.getByRole('status').getByText(words, { exact: true }).waitFor();
const comeOnline = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')));

it('saves what is typed, and shows it to whoever opens the episode next', async () => {
  const { page, address, stored } = await setUp();
  await title(page).fill('Second light');
  await expect.poll(async () => (await stored()).title).toBe('Second light');
  await status(page, 'Saved');
  await show(page, address);
  expect(await title(page).inputValue()).toBe('Second light');
  await page.context().close();
});

it('merges what two people write, and asks where both wrote the same', async () => {
  const { ann, podcast, page, open, stored } = await setUp();
  const bo = await makeUser(dashboard.app.ctx);
  await addMember(dashboard.app.ctx, { podcastId: podcast.id, userId: bo.id, role: 'admin' });
  const other = await open(bo.email);

  await other.route('**/app/api/episodes/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await title(other).fill('Of Bo');
  await subtitle(other).fill('Only of Bo');
  await status(other, 'Paused, will continue');
  await title(page).fill('Of Ann');
  await expect.poll(async () => (await stored()).title).toBe('Of Ann');

  await other.unroute('**/app/api/episodes/*');
  // The event about Ann's change may have repeated the save already.
  await comeOnline(other);
  // Nothing covers what Bo types before he asks for it.
  await other.getByText(`${ann.name} changed Title`).waitFor();
  expect(await other.getByRole('dialog').count()).toBe(0);
  await other.getByRole('button', { name: 'Compare' }).click();
  const dialog = other.getByRole('dialog', { name: 'You both changed this' });
  await dialog.getByRole('heading', { name: ann.name }).waitFor();
  await dialog.getByText('Of Ann').waitFor();
  await dialog.getByText('Of Bo').waitFor();
  await expect.poll(async () => (await stored()).subtitle).toBe('Only of Bo');
  expect((await stored()).title).toBe('Of Ann');
  await dialog.getByRole('button', { name: 'Write a new version' }).click();
  await dialog.getByRole('textbox').fill('Of Ann and Bo');
  await dialog.getByRole('button', { name: 'Use this version' }).click();
  await expect.poll(async () => (await stored()).title).toBe('Of Ann and Bo');
  await status(other, 'Saved');
  await other.context().close();
  await page.context().close();
});

it('keeps what is typed while the session has ended, and saves it after signing in', async () => {
  const { page, stored } = await setUp();
  await page.request.post(`${dashboard.service}/app/api/sign-out`, {
    data: {},
    headers: { Origin: dashboard.service },
  });
  await title(page).fill('Typed without a session');
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  expect((await stored()).title).toBe('First light');
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await status(page, 'Saved');
  expect(await title(page).inputValue()).toBe('Typed without a session');
  expect((await stored()).title).toBe('Typed without a session');
  await page.context().close();
});

it('keeps what is typed without a connection over a reload, and saves it when it is back', async () => {
  const { page, address, stored } = await setUp();
  await page.route('**/app/api/episodes/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort('internetdisconnected') : route.fallback(),
  );
  await title(page).fill('Typed offline');
  await status(page, 'Paused, will continue');
  await waitUntilKept(page, 'Typed offline');
  await page.reload();
  await title(page).waitFor();
  expect(await title(page).inputValue()).toBe('Typed offline');
  await title(page).fill('Typed offline, twice');
  await status(page, 'Paused, will continue');
  expect((await stored()).title).toBe('First light');
  await page.unroute('**/app/api/episodes/*');
  await comeOnline(page);
  await status(page, 'Saved');
  expect((await stored()).title).toBe('Typed offline, twice');
  await show(page, address);
  expect(await title(page).inputValue()).toBe('Typed offline, twice');
  await page.context().close();
});

it('the editor has the typed words again after the page crashed', async () => {
  const { page, address, stored } = await setUp();
  await page.route('**/app/api/episodes/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await title(page).press('End');
  await title(page).pressSequentially(' of a long night');
  await status(page, 'Paused, will continue');
  await waitUntilKept(page, 'First light of a long night');
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  const next = await page.context().newPage();
  await show(next, address);
  expect(await title(next).inputValue()).toBe('First light of a long night');
  await status(next, 'Saved');
  expect((await stored()).title).toBe('First light of a long night');
  await page.context().close();
});

it('shows what is typed in one tab in the other', async () => {
  const { page, address, stored } = await setUp();
  const other = await page.context().newPage();
  await show(other, address);
  await title(page).fill('In the first tab');
  await expect.poll(() => title(other).inputValue()).toBe('In the first tab');
  await status(page, 'Saved');
  await status(other, 'Saved');
  await title(other).fill('In the second tab');
  await expect.poll(() => title(page).inputValue()).toBe('In the second tab');
  await expect.poll(async () => (await stored()).title).toBe('In the second tab');
  await page.context().close();
});

it('changes a public episode only when the person says so', async () => {
  const { page, stored } = await setUp('published');
  await title(page).fill('A correction');
  await status(page, 'Unpublished changes');
  await waitUntilKept(page, 'A correction');
  await page.reload();
  await title(page).waitFor();
  expect(await title(page).inputValue()).toBe('A correction');
  expect((await stored()).title).toBe('First light');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => title(page).inputValue()).toBe('First light');
  await page.getByText('Undo', { exact: true }).click();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await status(page, 'Saved');
  expect((await stored()).title).toBe('A correction');
  await page.context().close();
});

it('says which field the server refuses, and saves the others', async () => {
  const { page, stored } = await setUp();
  await title(page).fill('');
  await subtitle(page).fill('A subtitle');
  await page.getByText('This must have 1 to 500 characters.').waitFor();
  await expect.poll(async () => (await stored()).subtitle).toBe('A subtitle');
  await title(page).fill('A title');
  await status(page, 'Saved');
  expect((await stored()).title).toBe('A title');
  await page.context().close();
});
