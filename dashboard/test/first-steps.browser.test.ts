import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSecondBrowser } from '../../player/test/find-chromium.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { expectAccessible } from '../../server/test/expect-accessible.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { newBrowser, type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const heading = { name: 'Set up your show' };

it('the first steps of a new show are shown until they are hidden, each with its state and its link', async () => {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, title: 'Night Signals', category: 'Science' });
  const page = await dashboard.signIn(owner.email, { ...newBrowser, bypassCSP: true });
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${show.id}/episodes`);
  const steps = page.getByRole('region', heading);
  await steps.waitFor();
  expect(await steps.getByRole('img', { name: 'To do' }).count()).toBe(5);
  await expectAccessible(page);

  await steps.getByRole('link', { name: 'Add a first episode with audio' }).click();
  await page.getByRole('dialog', { name: 'New episode' }).waitFor();
  await page.keyboard.press('Escape');

  const episode = await makeEpisode(app.ctx, show, { title: 'First light' });
  await attachTone(app.ctx, episode.id, 1);
  await steps.getByRole('img', { name: 'Done' }).nth(1).waitFor();
  expect(await steps.getByRole('img', { name: 'Done' }).count()).toBe(2);

  await steps.getByRole('button', { name: 'Hide' }).click();
  await steps.waitFor({ state: 'detached' });
  // A window of its own, because this one may still request the steps that it has just shown.
  const later = await page.context().newPage();
  const asked: string[] = [];
  later.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const code = later.waitForResponse(/\/assets\/first-steps-/);
  await later.goto(page.url());
  await code;
  await later.getByRole('link', { name: 'First light', exact: true }).waitFor();
  expect(asked).not.toContain(`/app/api/podcasts/${show.id}/first-steps`);
  expect(await later.getByRole('heading', heading).count()).toBe(0);
  expect(failures).toEqual([]);
  await page.context().close();
});

// The engine alone decides this, and both browsers have the same.
if (!isSecondBrowser) {
  it.each([
    ['do not edit the show', { role: 'editor' }],
    [
      'edit it and see their own episodes only',
      { role: 'custom', roleName: 'Designer', capabilities: ['show.settings'] },
    ],
  ] as const)('the first steps are not shown to those who %s', async (_who, role) => {
    const { app, service } = dashboard;
    const show = await makePodcast(app.ctx, { title: 'Night Signals' });
    const member = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: member.id, ...role });
    const page = await dashboard.signIn(member.email);
    const failures = watchFailures(page);
    await page.goto(`${service}/app/shows/${show.id}/episodes`);
    await page.getByRole('heading', { name: /^No episode/ }).waitFor();
    expect(await page.getByRole('heading', heading).count()).toBe(0);
    expect(failures).toEqual([]);
    await page.context().close();
  });
}
