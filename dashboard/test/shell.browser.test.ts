import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

it('asks whoever is not signed in to sign in, and leads back', async () => {
  const { browser, service, app } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${service}/app/new`);
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  expect(new URL(page.url()).searchParams.get('next')).toBe('/app/new');
  await page.getByLabel('Email address').fill(user.email);
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.context().close();
});

it('opens without a violation of its policy, and says where one is', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const { id } = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  const page = await dashboard.signIn(user.email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${id}/episodes`);
  await page.getByRole('heading', { name: 'Episodes', level: 1 }).waitFor();
  await page.getByText('Night Signals').first().waitFor();
  await page.getByRole('link', { name: 'Add a show' }).click();
  await page.waitForURL(`${service}/app/new`);
  await expect.poll(() => page.title()).toBe('Add a show – Podstead');
  await page.goBack();
  await page.getByRole('heading', { name: 'Episodes', level: 1 }).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});

it('knows no script under an unknown name, and no endpoint of the API by its page', async () => {
  const { service } = dashboard;
  const unknown = await fetch(`${service}/app/assets/no-such-file.js`);
  expect(unknown.status).toBe(404);
  const endpoint = await fetch(`${service}/app/api/nothing-here`);
  expect(endpoint.status).toBe(404);
  expect(endpoint.headers.get('content-type')).toContain('application/json');
});

it('a script is the same in each coding', async () => {
  const { app, service } = dashboard;
  const page = await dashboard.signIn((await makeUser(app.ctx)).email);
  const shell = await (await page.request.get(`${service}/app`)).text();
  const [, path = ''] = /"(\/app\/assets\/core-[^"]*)"/.exec(shell) ?? [];
  const read = async (coding: string) => {
    const response = await fetch(service + path, { headers: { 'accept-encoding': coding } });
    return [response.headers.get('content-encoding'), await response.text()];
  };
  const [, text] = await read('identity');
  expect(text?.length).toBeGreaterThan(100_000);
  expect(await read('gzip')).toEqual(['gzip', text]);
  expect(await read('br')).toEqual(['br', text]);
  await page.context().close();
});

it('says what the server says in the language of the app', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const { id } = await makePodcast(app.ctx, { owner: user });
  const page = await dashboard.signIn(user.email, { locale: 'ar' });
  await page.goto(`${service}/app/shows/${id}/show/health`);
  await page.getByText('ليس للبرنامج غلاف.').waitFor();
  await page.goto(`${service}/app/shows/${id}/show/texts`);
  await page.getByLabel('العنوان', { exact: true }).fill(' ');
  await page.getByRole('button', { name: 'حفظ' }).first().click();
  await page.getByText('يجب أن يكون من 1 إلى 500 حرف.').waitFor();
  await page.context().close();
});

it('says at the top of the page that it needs JavaScript', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email, {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  await page.goto(`${service}/app`);
  const box = await page.locator('noscript p').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(8);
  expect(box?.y).toBeLessThan(200);
  await page.context().close();
});
