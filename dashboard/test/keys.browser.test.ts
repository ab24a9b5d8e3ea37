import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listKeys } from '../../server/src/domain/access/keys/index.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const keys = '/app/settings/keys';
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const secretOn = (page: Page) => page.getByLabel(/^Secret of/).inputValue();
const statusOf = async (secret: string) =>
  (await fetch(`${dashboard.service}/v1/me`, { headers: { Authorization: `Bearer ${secret}` } }))
    .status;

async function fillNewKey(page: Page, name: string): Promise<void> {
  await page.goto(`${dashboard.service}${keys}/new`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Create the key');
}

it('makes a key, whose secret works and is shown once', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const [night] = [
    await makePodcast(app.ctx, { owner: user, title: 'Night Signals' }),
    await makePodcast(app.ctx, { owner: user, title: 'Day Signals' }),
  ];
  const page = await dashboard.signIn(user.email);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const failures = watchFailures(page);
  await page.goto(service + keys);
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByText('Only shows I choose').click();
  await page.getByText('Night Signals').click();
  await page.getByText('Transcripts', { exact: true }).click();
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Create the key');
  // Without a name the server refuses, and the form keeps everything else.
  await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Name').fill('Website');
  await press(page, 'Create the key');
  const secret = await secretOn(page);
  expect(await statusOf(secret)).toBe(200);
  const [made] = await listKeys(app.ctx, user.id);
  expect(made).toMatchObject({
    name: 'Website',
    podcasts: [night.id],
    scopes: ['podcasts:read', 'transcripts:read'],
  });

  // Whoever has not copied it is asked before it is gone.
  await page.getByRole('link', { name: 'Back to keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await press(page, /^Copy: Secret/);
  await page
    .getByRole('button', { name: /^Copy: Secret/ })
    .getByText('Copied')
    .waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await page.getByRole('link', { name: 'Back to keys' }).click();
  await page.getByRole('heading', { name: 'Website' }).waitFor();
  expect(await page.content()).not.toContain('svc_live_');
  await page.goBack();
  await page.getByRole('heading', { name: 'Create a key' }).waitFor();
  expect(await page.content()).not.toContain('svc_live_');
  // A refusal is an error in the console.
  expect(failures.filter((failure) => !failure.includes('status of 400'))).toEqual([]);
  await page.context().close();
});

it('a key whose response was lost is reported, and not created twice', async () => {
  const { app } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email);
  await page.route('**/app/api/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
    await page.unroute('**/app/api/keys');
  });
  await fillNewKey(page, 'Website');
  await page.getByText('Can’t reach the server.').waitFor();
  await press(page, 'Create the key');
  await page.getByRole('link', { name: 'Replace the secret' }).click();
  await page.getByRole('heading', { name: 'Replace a key’s secret' }).waitFor();
  expect(await listKeys(app.ctx, user.id)).toHaveLength(1);
  await page.context().close();
});

it('rolls, widens and revokes a key', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  const { key, secret } = await makeKey(app.ctx, user, {
    name: 'Website',
    scopes: ['podcasts:read'],
  });
  const page = await dashboard.signIn(user.email);
  await page.goto(service + keys);
  await page.getByRole('link', { name: 'Replace the secret: Website' }).click();
  await page.getByText('Stops working immediately').click();
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Create a new secret');
  const next = await secretOn(page);
  expect([await statusOf(secret), await statusOf(next)]).toEqual([401, 200]);
  await page.getByRole('link', { name: 'Back to keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();

  await page.getByRole('link', { name: 'Add access: Website' }).click();
  await page.getByText('Transcripts', { exact: true }).click();
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Add access');
  await page.getByText('The key has more access now.').waitFor();
  const [widened] = await listKeys(app.ctx, user.id);
  expect(widened?.scopes).toEqual(['podcasts:read', 'transcripts:read']);

  await press(page, 'Revoke: Website');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByRole('heading', { name: 'Ended in the last 30 days' }).waitFor();
  expect(await statusOf(next)).toBe(401);
  expect(key.lastFour).not.toBe(next.slice(-4));

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/sign-in');
  await page.goto(service + keys);
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  await page.context().close();
});

it('reads well to everyone', async () => {
  const { app } = dashboard;
  const user = await makeUser(app.ctx);
  for (let i = 0; i < 10; i += 1) await makePodcast(app.ctx, { owner: user, title: `Show ${i}` });
  const { key } = await makeKey(app.ctx, user, { podcasts: 'all', scopes: ['podcasts:read'] });
  await expectAccessibleScreens(dashboard, user.email, [
    keys,
    `${keys}/new`,
    `${keys}/${key.id}/roll`,
    `${keys}/${key.id}/widen`,
  ]);
});
