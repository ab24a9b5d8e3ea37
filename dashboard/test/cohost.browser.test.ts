import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import {
  addPerson,
  listOwnCredits,
  setCredits,
} from '../../server/src/domain/publishing/people/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { setTranscript } from '../../server/src/domain/publishing/transcripts/index.ts';
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

  await setTranscript(app.ctx, theirs.id, {
    ...{ language: 'en', wordCount: 1, durationMs: 1000 },
    segments: [{ startMs: 0, endMs: 1000, speaker: '', text: 'Hello' }],
  });
  await updateEpisode(app.ctx, theirs.id, { publishTranscript: true });

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
  await page
    .getByText('This episode has a transcript. It’s public on the episode’s page')
    .waitFor();

  await page.goto(`${service}/app/shows/${podcastId}/episodes/${other.id}`);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await page.getByText('can only see episodes that credit you').waitFor();
  await page.goto(`${service}/app/shows/${podcastId}/statistics`);
  await page.getByText(/doesn’t include/).waitFor();
  await page.context().close();
});

it('a co-host whom no episode credits sees nothing that is false', async () => {
  const { app, service } = dashboard;
  const [owner, cohost] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  const podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  await makeEpisode(app.ctx, podcast, { title: 'Without them' });
  await addMember(app.ctx, { podcastId: podcast.id, userId: cohost.id, role: 'cohost' });
  const page = await dashboard.signIn(cohost.email);
  await page.goto(`${service}/app`);
  await page.getByText('None of your episodes are published yet').waitFor();
  await page.getByText('Your episodes', { exact: true }).waitFor();
  await page.goto(`${service}/app/shows/${podcast.id}/episodes`);
  await page.getByRole('heading', { name: 'No episodes credit you yet' }).waitFor();
  await page.getByText('Ask someone on your team to credit you.').waitFor();
  expect(await page.getByText('Upload your first episode').count()).toBe(0);
  await page.context().close();
});

it('says why a co-host on the roster sees nothing, and the owner credits them on episodes', async () => {
  const { app, service } = dashboard;
  const [owner, cohost] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  const podcast = await makePodcast(app.ctx, { owner, title: 'Day Signals' });
  const episode = await makeEpisode(app.ctx, podcast, { title: 'First light' });
  await makeEpisode(app.ctx, podcast, { title: 'Dusk' });
  const podcastId = podcast.id;
  await addMember(app.ctx, { podcastId, userId: cohost.id, role: 'cohost' });
  await addPerson(app.ctx, { podcastId, name: 'Ana Berg' });
  await addPerson(app.ctx, {
    ...{ podcastId, name: 'Ben Okafor', role: 'co-host' },
    userId: cohost.id,
  });

  const page = await dashboard.signIn(cohost.email);
  await page.goto(`${service}/app`);
  await page.getByText('None of your episodes are published yet').waitFor();
  await page.getByRole('link', { name: 'Day Signals' }).click();
  await page.getByRole('heading', { name: 'No episodes credit you yet' }).waitFor();
  await page.getByText('Being on the show’s roster isn’t enough').waitFor();

  const owners = await dashboard.signIn(owner.email);
  await owners.goto(`${service}/app/shows/${podcastId}/show/people`);
  await owners.getByText('can’t see any episodes yet').waitFor();
  await owners.goto(`${service}/app/shows/${podcastId}/team`);
  await owners.getByText('can’t see any episodes yet').waitFor();
  await owners.getByRole('button', { name: /^Credit on episodes/ }).click();
  const dialog = owners.getByRole('dialog');
  await dialog.getByText('They’ll be credited as Co-host.').waitFor();
  await dialog.getByRole('checkbox', { name: 'First light' }).check();
  await dialog.getByRole('button', { name: 'Credit on 1 episode' }).click();
  await owners.getByText('Can see the 1 episode that credits them.').waitFor();
  // The roster stays on the episode, now as its own people.
  const credits = await listOwnCredits(app.ctx, episode.id);
  expect(credits.map(({ name }) => name)).toEqual(['Ana Berg', 'Ben Okafor']);
  await owners.getByRole('button', { name: /^Credit on episodes/ }).click();
  expect(await dialog.getByRole('checkbox', { name: 'First light' }).isDisabled()).toBe(true);
  await owners.context().close();

  await page.reload();
  await page.getByRole('link', { name: 'First light' }).waitFor();
  expect(await page.getByRole('link', { name: 'Dusk' }).count()).toBe(0);
  await page.context().close();
});
