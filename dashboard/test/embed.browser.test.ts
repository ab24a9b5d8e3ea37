import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import type { Episode } from '../../server/src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
let email: string;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { ctx } = dashboard.app;
  const owner = await makeUser(ctx);
  ({ email } = owner);
  show = await makePodcast(ctx, { owner, title: 'Night Signals' });
  for (const title of ['First light', 'Second light', 'Third light']) {
    episode = await makeEpisode(ctx, show, { title });
    await attachTone(ctx, episode.id, 30);
  }
}, 120_000);
afterAll(() => dashboard[Symbol.asyncDispose]());

const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const attribute = (page: Page, name: string) =>
  preview(page).locator('podstead-player').getAttribute(name);
const code = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();
const [frame, element] = ['Frame, for any page', 'Web component, for pages that allow scripts'];

// PAGE-2, PAGE-3
it('an episode has code for other websites, with a preview of the chosen look', async () => {
  const page = await dashboard.signIn(email);
  const failures = watchFailures(page);
  await page.goto(`${dashboard.service}/app/shows/${show.id}/episodes/${episode.id}`);
  await page.getByText('Player for websites').click();
  await preview(page).getByRole('button', { name: 'Play' }).first().waitFor();
  await page.getByLabel('Player background').selectOption('dark');
  await page.getByLabel('Size').selectOption('compact');
  await page.getByLabel('Start at').fill('1:99');
  await page.getByText('Enter a time such as 1:30.').waitFor();
  expect(await code(page, frame)).not.toContain('#t=');
  await page.getByLabel('Start at').fill('0:20');
  await expect.poll(() => attribute(page, 'start')).toBe('0:20');
  await expect.poll(() => attribute(page, 'theme')).toBe('dark');
  const { service } = dashboard;
  expect(await code(page, frame)).toContain(
    `src="${service}/ep/${episode.id}?layout=compact#t=0:20&amp;theme=dark" title="Third light"`,
  );
  expect(await code(page, element)).toContain(
    `<podstead-player episode="${episode.id}" layout="compact" theme="dark" start="0:20"`,
  );
  expect(await code(page, element)).toContain(`src="${service}/player/v1.js"`);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('a show has code for its newest episode, with a list of earlier ones and a color', async () => {
  const page = await dashboard.signIn(email);
  const failures = watchFailures(page);
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/address`);
  await preview(page).getByRole('button', { name: 'Play' }).first().waitFor();
  await page.getByText('Another color').click();
  await page.getByLabel('Player color').fill('#336699');
  await page.getByText('List earlier episodes below the newest one').click();
  await expect.poll(() => attribute(page, 'color')).toBe('#336699');
  await preview(page)
    .getByRole('button', { name: /First light/ })
    .first()
    .waitFor();
  expect(await code(page, frame)).toContain('#color=336699&amp;playlist=5" title="Night Signals"');
  expect(await code(page, frame)).toContain('height="412"');
  expect(await code(page, element)).toContain(`podcast="${show.id}" color="#336699" playlist="5"`);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('the code for other websites is accessible', async () => {
  await expectAccessibleScreens(dashboard, email, [`/app/shows/${show.id}/show/address`]);
});
