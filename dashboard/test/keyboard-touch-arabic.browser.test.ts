import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

// The same work in other ways: without a mouse, on a small phone, from right to left.

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? ''; })()`,
    );
    if (typeof name === 'string' ? focused.trim() === name : name.test(focused)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

it('the keyboard alone is enough from an empty account to a saved draft', async () => {
  const user = await makeUser(dashboard.app.ctx);
  const page = await dashboard.signIn(user.email);
  const failures = watchFailures(page);
  await page.goto(`${dashboard.service}/app`);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await tabTo(page, 'Skip to content');
  await page.keyboard.press('Control+k');
  await page.getByLabel('Show, episode, page or action').waitFor();
  await page.keyboard.type('add a');
  await page.getByRole('menuitem', { name: /Add a show/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add a show' }).waitFor();
  await tabTo(page, 'Show title');
  await page.keyboard.type('Night Signals');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Episodes', level: 1 }).waitFor();
  await tabTo(page, 'New episode');
  await page.keyboard.press('Enter');
  await page.getByLabel('Episode title').waitFor();
  await page.keyboard.type('First');
  await page.keyboard.press('Enter');
  await page.getByLabel('Title', { exact: true }).waitFor();
  await tabTo(page, 'Title');
  await page.keyboard.press('End');
  await page.keyboard.type(' light');
  await page.getByRole('heading', { name: 'First light' }).waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Show, episode, page or action').waitFor();
  await page.keyboard.type('episodes');
  await page.getByRole('menuitem', { name: /^Episodes/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'First light', exact: true }).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

it.each([320, 360])('the dashboard works by touch on a phone of %i pixels', async (width) => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  await makeEpisode(app.ctx, podcast, { title: 'First light' });
  const page = await dashboard.signIn(user.email, {
    viewport: { width, height: 700 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto(`${service}/app`);
  await page.getByRole('link', { name: 'Night Signals' }).tap();
  const episode = page.getByRole('link', { name: 'First light', exact: true });
  const title = page.getByLabel('Title', { exact: true });
  // A row that is drawn again under the finger takes no tap.
  await expect
    .poll(async () => {
      await episode.tap({ timeout: 5_000 }).catch(() => undefined);
      await title.waitFor({ timeout: 15_000 }).catch(() => undefined);
      return title.count();
    })
    .toBe(1);
  await title.fill('Last light');
  await page.getByRole('button', { name: 'Publish changes' }).first().tap();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Open the menu' }).tap();
  await page.getByRole('link', { name: 'Statistics' }).tap();
  await page.getByRole('heading', { name: 'Statistics' }).waitFor();
  const paths = ['', '/new', `/shows/${podcast.id}/episodes`, `/shows/${podcast.id}/team`];
  for (const path of [...paths, '/settings', '/settings/keys']) {
    await page.goto(`${service}/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(overflow), path).toBe(0);
  }
  await page.context().close();
});

it('the dashboard works from right to left, in Arabic', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: user, title: 'إشارات الليل' });
  const { id } = await makeEpisode(app.ctx, podcast, { title: 'الضوء الأول', status: 'draft' });
  const page = await dashboard.signIn(user.email, { locale: 'ar' });
  const failures = watchFailures(page);
  await page.goto(`${service}/app`);
  await page.getByRole('link', { name: 'إشارات الليل' }).click();
  await page.getByRole('link', { name: 'الضوء الأول', exact: true }).click();
  await page.getByRole('heading', { name: 'الضوء الأول' }).waitFor();
  expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
  const navigation = await page.getByRole('navigation').first().boundingBox();
  const main = await page.getByRole('main').boundingBox();
  expect(navigation?.x).toBeGreaterThan(main?.x ?? Number.NaN);
  await page.getByRole('textbox', { name: 'العنوان', exact: true }).fill('الضوء الأخير');
  await page.getByRole('heading', { name: 'الضوء الأخير' }).waitFor();
  await expect
    .poll(async () => (await page.request.get(`${service}/app/api/episodes/${id}`)).json())
    .toMatchObject({ data: { title: 'الضوء الأخير' } });
  expect(await page.evaluate(overflow)).toBe(0);
  expect(failures).toEqual([]);
  await page.context().close();
});
