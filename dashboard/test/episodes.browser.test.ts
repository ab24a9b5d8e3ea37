import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('leads from an episode to its statistics: in the list, the editor and at home', async () => {
  const page = await openList(['First light']);
  const arrive = async () => {
    await page.waitForURL('**/statistics/episodes/*');
    await page.getByRole('heading', { level: 1, name: 'First light' }).waitFor();
  };
  await chooseAction(page, 'First light', 'Statistics');
  await arrive();
  await page.goBack();
  await page.getByRole('link', { name: 'Statistics of First light: 0' }).click();
  await arrive();
  await page.goBack();
  await page.getByRole('link', { name: 'First light', exact: true }).click();
  await page.getByRole('button', { name: 'More about First light' }).click();
  await page.getByRole('menuitem', { name: 'Statistics' }).click();
  await arrive();
  await page.goto(`${dashboard.service}/app`);
  await page.getByText(/\d{4} \(UTC\), without today · /).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Statistics' }).click();
  await arrive();
  await page.context().close();
});

it('undoes a change of the status, and a deletion', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await chooseAction(page, 'First light', 'Make it a draft');
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
  expect(await page.getByText('is not deleted').count()).toBe(0);
  await page.context().close();
});

it('changes many episodes at once', async () => {
  const page = await openList(['First light', 'Second dawn', 'Third watch']);
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => page.getByText('Archived').count()).toBeGreaterThanOrEqual(3);
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

it('passes the accessibility checks, wide and narrow', async () => {
  const page = await openList(['First light', 'Second dawn']);
  await row(page, 'First light').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  await page.context().close();
});
