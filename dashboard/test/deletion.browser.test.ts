import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

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
