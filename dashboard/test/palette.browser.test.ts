import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function setUp() {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  const episode = await makeEpisode(app.ctx, podcast, { title: 'First light' });
  const show = `${service}/app/shows/${podcast.id}`;
  return { owner, podcast, episode, show };
}

async function openPalette(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Show, episode, page or action');
  // Directly after a reload, the keys have no effect yet.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k');
      return await field.isVisible();
    })
    .toBe(true);
  await field.fill(text);
}

async function run(page: Page, name: string): Promise<void> {
  await openPalette(page, name);
  await page.getByRole('menuitem', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

it('opens what makes something new, from any screen of the show', async () => {
  const { owner, podcast, show } = await setUp();
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  await run(page, 'Invite someone');
  await page.getByRole('dialog', { name: 'Invite someone' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await run(page, 'New episode');
  await page.waitForURL(`${show}/episodes`);
  await page.getByRole('dialog', { name: 'New episode' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await run(page, 'Copy feed URL');
  await page.getByText('Feed URL copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    `/feeds/${podcast.slug}.xml`,
  );
  await run(page, 'Create a key');
  await page.waitForURL('**/app/settings/keys/new');
  await page.context().close();
});

it('the palette contains what was typed while it was still loading', async () => {
  const { owner, show } = await setUp();
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  const isTyped = Promise.withResolvers<void>();
  await page.route(/\/palette-[^/]*\.js/, async (route) => {
    await isTyped.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/palette-[^/]*\.js/);
  await page.keyboard.press('Control+k');
  await asked;
  await page.keyboard.type('Invitt');
  await page.keyboard.press('Backspace');
  isTyped.resolve();
  await page.getByRole('dialog', { name: 'Go to…' }).waitFor();
  const field = page.getByLabel('Show, episode, page or action');
  await expect.poll(() => field.inputValue()).toBe('Invit');
  await page.keyboard.type('e');
  await page.getByRole('menuitem', { name: 'Invite someone' }).waitFor();
  await page.context().close();
});

it('changes the open episode, as far as the person may', async () => {
  const { app } = dashboard;
  const { owner, podcast, episode, show } = await setUp();
  const editor = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: editor.id, role: 'analyst' });
  const address = `${show}/episodes/${episode.id}`;
  const page = await dashboard.signIn(owner.email);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Publication' }).waitFor();
  await run(page, 'Unpublish');
  await page.getByText('Now a draft.').waitFor();
  const { status } = await app.ctx.db
    .selectFrom('episodes')
    .select('status')
    .where('id', '=', episode.id)
    .executeTakeFirstOrThrow();
  expect(status).toBe('draft');
  await run(page, 'Episode statistics');
  await page.waitForURL(`${show}/statistics/episodes/${episode.id}`);
  await page.context().close();

  const other = await dashboard.signIn(editor.email);
  await other.goto(address);
  await other.getByRole('heading', { name: 'Publication' }).waitFor();
  await openPalette(other, 'episode');
  await other.getByRole('menuitem', { name: 'Episode statistics' }).waitFor();
  const names = await other.getByRole('menuitem').allTextContents();
  expect(
    names.filter((name) => /draft|[Pp]ublish|Schedule|New episode|preview/.test(name)),
  ).toEqual([]);
  await other.context().close();
});

it('shows the chosen colors before any script runs, and those of the system again', async () => {
  const { owner, show } = await setUp();
  const page = await dashboard.signIn(owner.email, { colorScheme: 'light' });
  await page.goto(`${show}/episodes`);
  const ground = () =>
    page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Dark theme' }).click();
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  expect(await ground()).toBe(dark);
  await page.unroute('**/*.js');
  await page.reload();
  await run(page, 'System theme');
  await expect.poll(ground).toBe(light);
  await page.reload();
  expect(await ground()).toBe(light);
  await page.context().close();
});
