import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  attachImage,
  setHeaderImage,
  setPodcastArtwork,
} from '../../server/src/domain/publishing/images/index.ts';
import { pictureBytes } from '../../server/test/hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function openPage() {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, {
    ...{ owner, title: 'Night Signals', description: 'What is heard at night.' },
    websiteUrl: 'https://ana.example/',
  });
  await makeEpisode(app.ctx, show, { title: 'First light' });
  for (const [color, set] of [
    ['#336699', setPodcastArtwork],
    ['#eeeeaa', setHeaderImage],
  ] as const) {
    const bytes = await pictureBytes(color);
    const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
    await set(app.ctx, show.id, id);
  }
  const path = `/app/shows/${show.id}/show/page`;
  return { owner, show, path, address: service + path };
}

// PAGE-23, PAGE-25
it('sections are arranged with the keyboard, and the preview follows before they are saved', async () => {
  const { owner, show, address } = await openPage();
  const page = await dashboard.signIn(owner.email);
  const failures = watchFailures(page);
  await page.goto(address);
  const preview = page.frameLocator('iframe[data-shown="true"]');
  await expect.poll(() => preview.locator('h2').allTextContents()).toEqual(['About', 'Episodes 1']);
  const down = page.getByRole('button', { name: 'Move down: About the show' });
  await down.press('Enter');
  expect(await page.getByText('About the show: 2 of 3').count()).toBe(1);
  expect(await down.evaluate((button) => button === document.activeElement)).toBe(true);
  await down.press('Enter');
  const up = page.getByRole('button', { name: 'Move up: About the show' });
  expect(await up.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByRole('checkbox', { name: 'Links' }).press('Space');
  const arranged = ['Episodes 1', 'About', 'Links'];
  await expect.poll(() => preview.locator('h2').allTextContents()).toEqual(arranged);
  const listen = `${dashboard.service}/listen/${show.slug}`;
  expect(await (await page.request.get(listen)).text()).not.toContain('id="links"');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  expect(await (await page.request.get(listen)).text()).toContain('id="links"');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('all of the preview is seen while something is to be saved, wherever the page is scrolled to', async () => {
  const { owner, address } = await openPage();
  const page = await dashboard.signIn(owner.email);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(address);
  await page.frameLocator('iframe[data-shown="true"]').locator('h1').waitFor();
  await page.getByRole('checkbox', { name: 'Your own text' }).press('Space');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.waitFor();
  const preview = page.getByRole('region', { name: 'Preview' });
  const seen = () =>
    preview.evaluate((section) => {
      const { top, bottom, left } = section.getBoundingClientRect();
      const isThere = (y: number) => section.contains(document.elementFromPoint(left + 9, y));
      return [isThere(top + 9), isThere(bottom - 9)];
    });
  expect(await seen()).toEqual([true, true]);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate('scrollY')).toBe(300);
  expect(await seen()).toEqual([true, true]);
  await page.context().close();
});

const order = (page: Page) =>
  page
    .getByRole('list', { name: 'Sections', exact: true })
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((row) => row.dataset['section']));

/** The middle of the grip of the first section, and of the one below the second. */
async function findGrip(page: Page) {
  const grips = page.locator('[data-section] > [aria-hidden]:first-child');
  await grips.first().waitFor();
  const [first, , third] = await Promise.all((await grips.all()).map((grip) => grip.boundingBox()));
  if (first == null || third == null) throw new Error('a grip is missing');
  const middle = ({ y, height }: typeof first) => y + height / 2;
  return { x: first.x + first.width / 2, from: middle(first), to: middle(third) };
}

it('a section is dragged with a mouse', async () => {
  const { owner, address } = await openPage();
  const page = await dashboard.signIn(owner.email);
  await page.goto(address);
  const { x, from, to } = await findGrip(page);
  await page.mouse.move(x, from);
  await page.mouse.down();
  await page.mouse.move(x, to, { steps: 5 });
  await expect.poll(() => order(page)).toEqual(['episodes', 'people', 'about']);
  // The pointer moves on before the screen can have been drawn again.
  await Promise.all([page.mouse.up(), page.mouse.move(x, from)]);
  expect(await order(page)).toEqual(['episodes', 'people', 'about']);
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
  await page.context().close();
});

it('a section is dragged with a finger, and the page does not scroll', async () => {
  const { owner, address } = await openPage();
  const page = await dashboard.signIn(owner.email, {
    ...{ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
  });
  await page.goto(address);
  const { x, from, to } = await findGrip(page);
  const devTools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: at.map((y) => ({ x, y })) });
  await touch('touchStart', to);
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', to + (from - to) * share);
  await touch('touchEnd');
  await expect.poll(() => order(page)).toEqual(['people', 'about', 'episodes']);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
  await page.context().close();
});

it('the screen of a page has nothing that axe objects to', async () => {
  const { owner, path } = await openPage();
  await expectAccessibleScreens(dashboard, owner.email, [path]);
});
