import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { readEpisodeDraft } from '../../server/src/domain/publishing/episodes/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function setUp({ hasAudio = true } = {}) {
  const { ctx } = dashboard.app;
  const ann = await makeUser(ctx);
  const podcast = await makePodcast(ctx, { owner: ann, timezone: 'Europe/Berlin' });
  const { id } = await makeEpisode(ctx, podcast, { status: 'draft', title: 'First light' });
  if (hasAudio) await attachTone(ctx, id, 5);
  const path = `/app/shows/${podcast.id}/episodes/${id}`;
  const stored = () =>
    readEpisodeDraft({ ...ctx, principal: { kind: 'user', userId: ann.id } }, id);
  const open = async (options: BrowserContextOptions = {}) => {
    const page = await dashboard.signIn(ann.email, options);
    await page.goto(dashboard.service + path);
    await page.getByRole('heading', { name: 'First light' }).waitFor();
    return page;
  };
  return { ann, podcast, path, stored, open };
}

/** A button in a message, because the toolbar of the notes has one with the same name. */
const undo = (page: Page) => page.getByText('Undo', { exact: true });

it('says what is missing before an episode can be published', async () => {
  const { open, stored } = await setUp({ hasAudio: false });
  const page = await open();
  await page.getByText('No audio yet: without it, the episode isn’t in the feed.').waitFor();
  await page.getByRole('button', { name: 'Schedule…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule without audio?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await stored()).status).toBe('draft');
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.getByRole('button', { name: 'Publish without audio' }).click();
  await page.getByText('but not in the feed').waitFor();
  expect((await stored()).status).toBe('published');
  await page.context().close();
});

it('publishes the shown values, and takes it back', async () => {
  const { open, stored } = await setUp();
  const page = await open();
  await page.getByLabel('Title', { exact: true }).fill('Last words');
  await page.getByRole('button', { name: 'Publish now' }).click();
  await undo(page).waitFor();
  expect(await stored()).toMatchObject({ status: 'published', title: 'Last words' });
  await undo(page).click();
  await expect.poll(async () => (await stored()).status).toBe('draft');
  await page.getByRole('button', { name: 'Publish now' }).waitFor();
  await page.context().close();
});

it('the menu of an episode archives it', async () => {
  const { open, stored } = await setUp();
  const page = await open();
  await page.getByRole('button', { name: 'More actions for First light' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('Archived. Only your team can see it.').waitFor();
  expect((await stored()).status).toBe('archived');
  await page.context().close();
});

it('the heading of a long title has two lines, and its tooltip all of it', async () => {
  const { open } = await setUp();
  const page = await open({ viewport: { width: 360, height: 740 } });
  const title = 'On the way to the lighthouse '.repeat(7).trim();
  await page.getByLabel('Title', { exact: true }).fill(title);
  const heading = page.getByRole('heading', { level: 1, name: title });
  expect(await heading.getAttribute('title')).toBe(title);
  const lines = await heading.evaluate(
    (of) => of.clientHeight / Number.parseFloat(getComputedStyle(of).lineHeight),
  );
  expect(Math.round(lines)).toBe(2);
  await page.context().close();
});

/** The last Sunday of March in Europe, of a year to come. */
function clocksGoForward(): [year: string, day: string] {
  const year = new Date().getUTCFullYear() + 1;
  const weekday = new Date(Date.UTC(year, 2, 31)).getUTCDay();
  return [String(year), String(31 - weekday)];
}

it('schedules in the zone of the show, and says what could be mistaken', async () => {
  const { open, stored } = await setUp();
  const page = await open({ timezoneId: 'America/New_York' });
  await page.getByRole('button', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog');
  const [year, day] = clocksGoForward();
  const parts = { day, month: '3', year, hour: '9', minute: '30' };
  for (const [name, value] of Object.entries(parts)) {
    await dialog.getByRole('spinbutton', { name: new RegExp(`^${name}`) }).click();
    await page.keyboard.type(value);
  }
  await dialog.getByText(`${day} Mar ${year}, 09:30 (UTC+2)`).waitFor();
  await dialog.getByText(`Your time (America/New_York): ${day} Mar ${year}, 03:30`).waitFor();
  await dialog.getByText(`Sun, ${day} Mar ${year} 07:30:00 +0000`).waitFor();
  await dialog.getByText('The clocks change around that time: from UTC+1 to UTC+2').waitFor();
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('button', { name: 'Change the time…' }).waitFor();
  const scheduledFor = new Date(`${year}-03-${day}T07:30:00Z`);
  expect(await stored()).toMatchObject({ status: 'scheduled', scheduledFor });
  await page.context().close();
});

it('credits people with roles of the taxonomy', async () => {
  const { open, stored } = await setUp();
  const page = await open();
  const before = (await stored()).revision;
  await page.getByLabel('Person’s name').fill('Bo Example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Role of Bo Example').selectOption({ label: 'Sound designer' });
  await expect.poll(async () => (await stored()).revision).toBeGreaterThan(before);
  await page.reload();
  expect(await page.getByLabel('Role of Bo Example').inputValue()).toBe(
    'audio post-production/sound designer',
  );
  // The form knows the new revision: a save after it is not a conflict.
  await page.getByLabel('Subtitle').fill('With Bo');
  await expect.poll(async () => (await stored()).subtitle).toBe('With Bo');
  await page.context().close();
});

it('shows a draft to whoever has its private link', async () => {
  const { open } = await setUp();
  const page = await open();
  await page.getByRole('button', { name: 'Create preview link' }).click();
  const address = await page.getByRole('textbox', { name: 'Private preview' }).inputValue();
  const guest = await (await dashboard.browser.newContext()).newPage();
  await guest.goto(address);
  await guest.getByRole('heading', { name: 'First light' }).waitFor();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByRole('button', { name: 'Create preview link' }).waitFor();
  expect((await guest.reload())?.status()).toBe(404);
  await guest.context().close();
  await page.context().close();
});

it('makes no second private link while it does not know the first one', async () => {
  const { open } = await setUp();
  const page = await open();
  const make = page.getByRole('button', { name: 'Create preview link' });
  const link = page.getByRole('textbox', { name: 'Private preview' });
  await make.click();
  const address = await link.inputValue();
  const response = Promise.withResolvers<void>();
  await page.route('**/preview-link', async (route) => {
    await response.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByText('A private link shows the episode’s page').waitFor();
  expect(await make.count()).toBe(0);
  response.resolve();
  expect(await link.inputValue()).toBe(address);
  await page.context().close();
});

it('shows changes of others', async () => {
  const { ann, open, path } = await setUp();
  const page = await open();
  const other = await dashboard.signIn(ann.email);
  await other.goto(dashboard.service + path);
  await other.getByLabel('Title', { exact: true }).fill('Changed elsewhere');
  await page.getByRole('heading', { name: 'Changed elsewhere' }).waitFor();
  await other.context().close();
  await page.context().close();
});

it('deletes with ten seconds to undo it', async () => {
  const { open, stored } = await setUp();
  const page = await open();
  await page.getByRole('button', { name: 'More actions for First light' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('“First light” will be deleted.').waitFor();
  await undo(page).click();
  await page.getByRole('link', { name: 'First light', exact: true }).waitFor();
  expect((await stored()).title).toBe('First light');
  await page.context().close();
});

it('the episode screen is accessible in both schemes, narrow and wide', async () => {
  const { ann, path } = await setUp();
  await expectAccessibleScreens(dashboard, ann.email, [path]);
});
