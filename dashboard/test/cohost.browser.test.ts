import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, setCredits } from '../../server/src/domain/people/index.ts';
import { addMember } from '../../server/src/domain/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

it('shows a co-host their episodes alone, and nothing that they may not do', async () => {
  const { app, service } = dashboard;
  const [owner, cohost] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  const podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  const theirs = await makeEpisode(app.ctx, podcast, { title: 'With a guest' });
  const other = await makeEpisode(app.ctx, podcast, { title: 'Without them' });
  const podcastId = podcast.id;
  await addMember(app.ctx, { podcastId, userId: cohost.id, role: 'cohost' });
  const person = await addPerson(app.ctx, { podcastId, name: 'Co', userId: cohost.id });
  await setCredits(app.ctx, theirs.id, [{ personId: person.id }]);

  const page = await dashboard.signIn(cohost.email);
  await page.goto(`${dashboard.service}/app`);
  await page.getByRole('link', { name: 'Night Signals' }).click();
  await page.getByRole('link', { name: 'With a guest' }).waitFor();
  expect(await page.getByText('Without them').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'New episode' }).count()).toBe(0);
  for (const name of ['Statistics', 'Show settings']) {
    expect(await page.getByRole('link', { name }).count(), name).toBe(0);
  }
  await page.getByRole('button', { name: 'Actions for With a guest' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Edit']);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'With a guest' }).click();
  await page.getByRole('heading', { name: 'With a guest' }).waitFor();
  expect(await page.getByRole('button', { name: /Publish now|Unpublish/ }).count()).toBe(0);

  await page.goto(`${service}/app/shows/${podcastId}/episodes/${other.id}`);
  await page.getByText('There is nothing here').waitFor();
  await page.goto(`${service}/app/shows/${podcastId}/statistics`);
  await page.getByText(/does not include/).waitFor();
  await page.context().close();
});
