import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EpisodeStatus,
  episodeStatuses,
} from '../../server/src/domain/foundation/enumerations.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { getEpisode, statusesAfter } from '../../server/src/domain/publishing/episodes/index.ts';
import { expectAccessible } from '../../server/test/expect-accessible.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function openList(titles: readonly string[], search = ''): Promise<Page> {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  for (const title of titles) await makeEpisode(app.ctx, podcast, { title });
  const page = await dashboard.signIn(user.email, { bypassCSP: true });
  await page.goto(`${service}/app/shows/${podcast.id}/episodes${search}`);
  return page;
}

const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title, 'i') });
const chooseAction = async (page: Page, title: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${title}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

it('a show without episodes offers nothing to search, sort or filter', async () => {
  const page = await openList([]);
  await page.getByText('No episodes yet').waitFor();
  expect(await page.getByLabel('Search episodes').count()).toBe(0);
  expect(await page.getByLabel('Sort order').count()).toBe(0);
  expect(await page.getByRole('radio').count()).toBe(0);
  await page.context().close();
});

it('searches and filters, and its address says how', async () => {
  const page = await openList(['First light', 'Second dawn', 'Light again']);
  const failures = watchFailures(page);
  await page.getByLabel('Search episodes').fill('light');
  await page.waitForURL('**/episodes?q=light');
  // Between the two lists, while it loads, there are no rows.
  const counts = async () => [
    await row(page, 'light').count(),
    await row(page, 'Second dawn').count(),
  ];
  await expect.poll(counts).toEqual([2, 0]);
  await page.getByRole('radio', { name: /Published/ }).click();
  await page.waitForURL('**/episodes?q=light&status=published');
  await page.reload();
  await row(page, 'Light again').waitFor();
  expect(await page.getByLabel('Search episodes').inputValue()).toBe('light');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('an episode links to its statistics: in the list, the editor and at home', async () => {
  const page = await openList(['First light']);
  const arrive = async () => {
    await page.waitForURL('**/statistics/episodes/*');
    await page.getByRole('heading', { level: 1, name: 'First light' }).waitFor();
  };
  await chooseAction(page, 'First light', 'Statistics');
  await arrive();
  await page.goBack();
  await page.getByRole('link', { name: 'Statistics for First light: 0' }).click();
  await arrive();
  await page.goBack();
  await page.getByRole('link', { name: 'First light', exact: true }).click();
  await page.getByRole('button', { name: 'More actions for First light' }).click();
  await page.getByRole('menuitem', { name: 'Statistics' }).click();
  await arrive();
  await page.goto(`${dashboard.service}/app`);
  await page.getByText(/\d{4} \(UTC\), excluding today · /).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Statistics' }).click();
  await arrive();
  await page.context().close();
});

it('creates one episode by a double click', async () => {
  const page = await openList(['First light']);
  await page.getByRole('button', { name: 'New episode' }).click();
  await page.getByLabel('Episode title').fill('Second dawn');
  await page.getByRole('button', { name: 'Create draft' }).dblclick();
  await page.getByRole('heading', { level: 1, name: 'Second dawn' }).waitFor();
  await page.goBack();
  await row(page, 'Second dawn').first().waitFor();
  expect(await row(page, 'Second dawn').count()).toBe(1);
  await page.context().close();
});

it('undoes a change of the status, and a deletion', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await chooseAction(page, 'First light', 'Unpublish');
  await row(page, 'First light').getByText('Draft').last().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'First light').getByText('Published').last().waitFor();

  await chooseAction(page, 'Second dawn', 'Delete');
  await row(page, 'Second dawn').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await row(page, 'Second dawn').waitFor();
  await page.context().close();
});

it('deletes what is not undone, also when the page is left before', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await chooseAction(page, 'First light', 'Delete');
  await row(page, 'First light').waitFor({ state: 'detached' });
  const list = page.url();
  await page.goto(`${dashboard.service}/app`);
  await expect
    .poll(async () => {
      await page.goto(list);
      await row(page, 'Second dawn').waitFor();
      return page.evaluate('localStorage.getItem("podstead:pending")');
    })
    .toBe('[]');
  expect(await row(page, 'First light').count()).toBe(0);
  expect(await page.getByText('wasn’t deleted').count()).toBe(0);
  await page.context().close();
});

it('changes many episodes at once', async () => {
  const page = await openList(['First light', 'Second dawn', 'Third watch']);
  await page.getByLabel('Select all loaded episodes').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => page.getByText('Archived').count()).toBeGreaterThanOrEqual(3);
  await page.context().close();
});

const later = () => new Date(Date.now() + 3_600_000);

/** A show with one episode of each status, which has its name. */
async function makeEachStatus({ hasAudio = true } = {}) {
  const { ctx } = dashboard.app;
  const user = await makeUser(ctx);
  const podcast = await makePodcast(ctx, { owner: user, title: 'Night Signals' });
  const ids = new Map<EpisodeStatus, string>();
  for (const status of episodeStatuses) {
    const scheduled = status === 'scheduled' ? { scheduledFor: later() } : {};
    const { id } = await makeEpisode(ctx, podcast, { title: `Is ${status}`, status, ...scheduled });
    if (hasAudio) await attachTone(ctx, id, 1);
    ids.set(status, id);
  }
  const page = await dashboard.signIn(user.email);
  const list = `${dashboard.service}/app/shows/${podcast.id}/episodes`;
  await page.goto(list);
  await row(page, 'Is draft').waitFor();
  return { page, list, podcast, ids };
}

/** The names of the buttons or menu items with which a status is changed. */
async function offered(page: Page, role: 'button' | 'menuitem', within = page.locator('body')) {
  const names = await within.getByRole(role).allTextContents();
  const all = ['Publish', 'Publish now', 'Schedule…', 'Change the time…', 'Unpublish'];
  return names.filter((name) => [...all, 'Return to draft', 'Archive'].includes(name)).sort();
}

/** What the server accepts of an episode of this status, by the names in the app. */
function accepted(status: EpisodeStatus): Record<EpisodeStatus, string> {
  return {
    published: 'Publish now',
    scheduled: status === 'scheduled' ? 'Change the time…' : 'Schedule…',
    draft: status === 'published' ? 'Unpublish' : 'Return to draft',
    archived: 'Archive',
    pending_confirmation: '',
  };
}

it('offers for each status what the server accepts, in the list and the editor', async () => {
  const { page, list, ids } = await makeEachStatus();
  for (const status of episodeStatuses) {
    // The list has no calendar, and the bar has names that fit many episodes.
    const inMenu = statusesAfter(status)
      .filter((to) => to !== 'scheduled')
      .map((to) => accepted(status)[to]);
    const inBar = inMenu.map((name) =>
      name === 'Publish now' ? 'Publish' : name === 'Unpublish' ? 'Return to draft' : name,
    );
    const choice = page.getByLabel(`Select Is ${status}`, { exact: true });
    await choice.check();
    const bar = page.getByRole('toolbar', { name: 'Selected episodes' });
    await bar.getByText('1 selected').waitFor();
    expect(await offered(page, 'button', bar), status).toEqual(inBar.sort());
    await choice.uncheck();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Actions for Is ${status}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    expect(await offered(page, 'menuitem'), status).toEqual(inMenu.sort());
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  for (const status of episodeStatuses) {
    const next = statusesAfter(status);
    const beside = next.filter((to) => to !== 'archived').map((to) => accepted(status)[to]);
    const inMenu = next.includes('archived') ? ['Archive'] : [];
    await page.goto(`${list}/${ids.get(status)}`);
    const side = page.getByRole('complementary', { name: 'Publication' });
    await side.getByRole('button', { name: beside[0] ?? '' }).waitFor();
    expect(await offered(page, 'button', side), status).toEqual(beside.sort());
    await page.getByRole('button', { name: `More actions for Is ${status}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    expect(await offered(page, 'menuitem'), status).toEqual(inMenu);
  }
  await page.context().close();
});

const statusOf = async (ids: ReadonlyMap<EpisodeStatus, string>, was: EpisodeStatus) =>
  (await getEpisode(dashboard.app.ctx, ids.get(was) ?? '')).status;

it('brings an archived episode back', async () => {
  const { page, ids } = await makeEachStatus();
  await chooseAction(page, 'Is archived', 'Return to draft');
  await page.getByText('“Is archived” is now a draft.').waitFor();
  expect(await statusOf(ids, 'archived')).toBe('draft');
  await page.context().close();
});

it('publishes an episode without audio only if that is confirmed', async () => {
  const { page, ids } = await makeEachStatus({ hasAudio: false });
  const failures = watchFailures(page);
  const dialog = page.getByRole('dialog', { name: 'Publish without audio?' });
  await chooseAction(page, 'Is draft', 'Publish now');
  await dialog.getByText('public on its page and in the API, but not in the feed').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf(ids, 'draft')).toBe('draft');
  await chooseAction(page, 'Is draft', 'Publish now');
  await dialog.getByRole('button', { name: 'Publish without audio' }).click();
  await page.getByText('“Is draft” is published.').waitFor();
  expect(await statusOf(ids, 'draft')).toBe('published');
  // The browser itself logs the refusal that led to the question.
  expect(failures.filter((text) => !text.includes('400'))).toEqual([]);
  await page.context().close();
});

it('names the selected episodes that it does not publish, keeps the selection, and undoes', async () => {
  const { page, ids } = await makeEachStatus({ hasAudio: false });
  await attachTone(dashboard.app.ctx, ids.get('pending_confirmation') ?? '', 1);
  await page.getByLabel('Select all loaded episodes').check();
  const bar = page.getByRole('toolbar', { name: 'Selected episodes' });
  await bar.getByRole('button', { name: 'Publish' }).click();
  await bar.getByText('3 episodes couldn’t be published:').waitFor();
  await bar.getByText('“Is draft” has no audio.').waitFor();
  await bar.getByText('“Is archived”: This episode is archived. Return it to draft').waitFor();
  await bar.getByText('5 selected').waitFor();
  await expectAccessible(page);
  expect(await statusOf(ids, 'pending_confirmation')).toBe('published');
  expect(await statusOf(ids, 'draft')).toBe('draft');
  await page.getByText('1 episode published.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => statusOf(ids, 'pending_confirmation')).toBe('draft');
  await page.context().close();
});

it('names every selected episode that it does not publish', async () => {
  const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: user });
  for (const title of titles) await makeEpisode(app.ctx, podcast, { title, status: 'draft' });
  const page = await dashboard.signIn(user.email, { bypassCSP: true });
  await page.goto(`${service}/app/shows/${podcast.id}/episodes`);
  await page.getByLabel('Select all loaded episodes').check();
  const bar = page.getByRole('toolbar', { name: 'Selected episodes' });
  await bar.getByRole('button', { name: 'Publish' }).click();
  await bar.getByText('and 2 others').click();
  for (const title of titles) await bar.getByText(`“${title}” has no audio.`).waitFor();
  await expectAccessible(page);
  // A single one more is not folded.
  await page.getByLabel('Select One').uncheck();
  await bar.getByRole('button', { name: 'Publish' }).click();
  await bar.getByText('4 episodes couldn’t be published:').waitFor();
  for (const title of titles.slice(1)) await bar.getByText(`“${title}” has no audio.`).waitFor();
  expect(await bar.getByText(/and \d other/).count()).toBe(0);
  await page.context().close();
});

it.each([
  ['Return to draft', 'draft', ['scheduled', 'published', 'archived']],
  ['Archive', 'archived', ['draft', 'scheduled', 'published']],
] as const)('undoes for all selected episodes: %s', async (name, status, changed) => {
  const { page, ids } = await makeEachStatus();
  await page.getByLabel('Select all loaded episodes').check();
  const bar = page.getByRole('toolbar', { name: 'Selected episodes' });
  await bar.getByRole('button', { name }).click();
  await bar.waitFor({ state: 'detached' });
  for (const was of changed) expect(await statusOf(ids, was)).toBe(status);
  await page.getByRole('button', { name: 'Undo' }).click();
  for (const was of changed) await expect.poll(() => statusOf(ids, was)).toBe(was);
  await page.context().close();
});

it('finds an episode by the command palette, without the mouse', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await row(page, 'First light').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Show, episode, page or action').fill('second');
  await page.getByRole('menuitem', { name: /Second dawn/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/episodes\/[0-9a-f-]{36}$/);
  await page.context().close();
});

it('shows whole titles where no pointer could ask for them', async () => {
  const long = 'What the antenna hears at night, and why nobody believes it until the morning';
  const page = await openList([long, 'Second dawn']);
  await page.setViewportSize({ width: 360, height: 800 });
  const link = page.getByRole('link', { name: long });
  await link.waitFor();
  const hidden = await page.evaluate(
    `Math.max(...[...document.querySelectorAll('td a')].map((link) => link.scrollWidth - link.clientWidth))`,
  );
  expect(hidden).toBe(0);
  await page.context().close();
});

it('the titles of a long list have the width of a phone', async () => {
  const titles = Array.from({ length: 40 }, (_, n) => `Episode ${n + 1}`);
  const page = await openList(titles);
  await page.setViewportSize({ width: 360, height: 800 });
  const cell = page
    .getByRole('cell')
    .filter({ has: page.getByRole('link', { name: 'Episode 40' }) });
  await expect.poll(async () => (await cell.boundingBox())?.width).toBeGreaterThan(200);
  await page.context().close();
});

it('passes the accessibility checks, wide and narrow', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await row(page, 'First light').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  await page.context().close();
});
