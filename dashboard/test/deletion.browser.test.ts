import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { keptDrafts, type OpenDashboard, openDashboard, waitUntilKept } from './open-dashboard.ts';
import { isKept, titleField } from './open-offline.ts';

const deletion = '/app/settings/deletion';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const countUsers = async (id: string) =>
  (await dashboard.app.database.pool.query('select from users where id = $1', [id])).rowCount;

it('deletes an account with its password, which no longer signs in', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email);
  await page.goto(`${service}/app/settings`);
  await page.getByRole('link', { name: 'Delete account' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download a copy' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^account-.*\.json$/);

  const end = page.getByRole('button', { name: 'Delete my account permanently' });
  const password = page.getByLabel('Your current password');
  await password.fill('wrong');
  await end.click();
  await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true');
  expect(await countUsers(user.id)).toBe(1);
  await password.fill(testPassword);
  await end.click();
  await page.waitForURL(`${service}/app/sign-in`);
  expect(await countUsers(user.id)).toBe(0);

  await page.getByLabel('Email address').fill(user.email);
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  await page.context().close();
});

it('leaves nothing of a deleted account in the browser, and what others have there', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx);
  const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role: 'editor' });
  const page = await dashboard.signIn(user.email, { serviceWorkers: 'allow' });
  await page.goto(`${service}/app/shows/${podcast.id}/episodes/${episode.id}`);
  await titleField(page).waitFor();
  expect(await page.evaluate(isKept)).toContain('/app/worker.js');
  await page.context().setOffline(true);
  await titleField(page).fill('Not saved yet');
  await waitUntilKept(page, 'Not saved yet');
  await page.evaluate(keepForOthers(user.id));
  await expect.poll(() => page.evaluate(keptCopies)).toBe(1);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Delete account' }).click();
  await page.route(/\/app\/api\/episodes\//, (route) => route.abort());
  await page.context().setOffline(false);
  await page.getByLabel('Your current password').fill(testPassword);
  await page.getByRole('button', { name: 'Delete my account permanently' }).click();
  await page.waitForURL(`${service}/app/sign-in`);

  const drafts: { readonly userId: string }[] = JSON.parse(await page.evaluate(keptDrafts));
  expect(drafts.map(({ userId }) => userId)).toEqual(['other']);
  expect(await page.evaluate(keptCopies)).toBe(0);
  expect(await page.evaluate(`localStorage.getItem('podstead:user')`)).toBeNull();
  expect(
    await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes(':upload:'))`),
  ).toEqual(['podstead:upload:theirs']);
  expect(
    await page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'),
  ).toBe(0);
  await page.context().close();
});

/** Stores a draft of somebody else, and an upload of each. */
const keepForOthers = (userId: string) => `new Promise((done, fail) => {
  const upload = (id, userId) =>
    localStorage.setItem('podstead:upload:' + id, JSON.stringify({ id, userId }));
  upload('mine', '${userId}');
  upload('theirs', 'other');
  const opening = indexedDB.open('podstead-drafts');
  opening.onerror = fail;
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('drafts', 'readwrite');
    transaction.objectStore('drafts').put({ userId: 'other', episodeId: 'e', draft: {} });
    transaction.oncomplete = () => {
      opening.result.close();
      done();
    };
  };
})`;

/** How many copies of what a person edits the browser has. */
const keptCopies = `new Promise((done, fail) => {
  const opening = indexedDB.open('podstead-copies');
  opening.onerror = fail;
  opening.onsuccess = () => {
    const counting = opening.result.transaction('copies').objectStore('copies').count();
    counting.onerror = fail;
    counting.onsuccess = () => {
      opening.result.close();
      done(counting.result);
    };
  };
})`;

it('owners of shows are sent to what they must decide first', async () => {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const page = await dashboard.signIn(owner.email);
  await page.goto(service + deletion);
  const password = page.getByLabel('Your current password');
  await password.fill(testPassword);
  // The show is created after the screen was loaded, so only the server knows it.
  const show = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  await page.getByRole('button', { name: 'Delete my account permanently' }).click();
  await page.getByText('You own shows.').waitFor();
  await password.waitFor({ state: 'detached' });
  expect(await countUsers(owner.id)).toBe(1);
  await page.getByRole('link', { name: 'Transfer: Night Signals' }).click();
  await page.getByRole('button', { name: 'Transfer ownership' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Delete: Night Signals' }).click();
  await page.waitForURL(`${service}/app/shows/${show.id}/show/end`);
  await page.getByRole('button', { name: 'Delete permanently' }).waitFor();
  await page.context().close();
});

it('reads well to everyone, with shows and without', async () => {
  const { ctx } = dashboard.app;
  const [owner, user] = [await makeUser(ctx), await makeUser(ctx)];
  await makePodcast(ctx, { owner });
  for (const { email } of [owner, user]) {
    await expectAccessibleScreens(dashboard, email, [deletion]);
  }
});
