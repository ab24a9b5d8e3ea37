import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../create-test-app.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { findEmailToken } from '../find-emails.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// The pages of an account in a real browser: what its cookies, policies and headers make of them.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser({ TERMS_VERSION: '2026-01' }));
  ({ browser, app, service } = served);
  // Cookies live by the browser's clock.
  app.clock.set(new Date());
}, 120_000);
afterAll(() => opened.disposeAsync());

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, ...options });
  return context.newPage();
}

/** One page of somebody else. */
async function serve(html: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

it('the pages lead from sign-up to an API key without JavaScript', async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(`${service}/app/sign-up`);
  await page.getByLabel('Email address').fill('ana@example.com');
  await press(page, 'Send the email');
  await page.waitForURL('**/app/email-sent');

  const token = await findEmailToken(app, 'ana@example.com');
  await page.goto(`${service}/app/sign-up/confirm?token=${token}`);
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('Password').fill('short');
  await press(page, 'Create my account');
  expect(page.url()).toBe(`${service}/app/sign-up/confirm`);
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ana');
  await page.getByLabel('Password').fill(testPassword);
  await page.getByLabel('I accept the terms').check();
  await press(page, 'Create my account');
  // A new account is led to its podcasts.
  await page.waitForURL('**/app/podcasts?*');

  await page.goto(`${service}/app/settings`);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Website');
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Create the key');
  const secret = (await page.locator('#secret').textContent()) ?? '';
  const me = await fetch(`${service}/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
  expect(me.status).toBe(200);
  expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);

  expect((await page.reload())?.status()).toBe(409);
  expect(await page.content()).not.toContain('svc_live_');
  await press(page, 'Sign out');
  await page.goto(`${service}/app/settings/keys`);
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  await page.context().close();
});

it('the pages refuse frames, forms and scripts of other origins', async () => {
  const user = await makeUser(app.ctx);
  const { key } = await makeKey(app.ctx, user);
  const page = await open({});
  await page.goto(`${service}/app/sign-in`);
  await page.getByLabel('Email address').fill(user.email);
  await page.getByLabel('Password').fill(testPassword);
  await press(page, 'Sign in');
  await page.waitForURL('**/app/settings');

  // Another port is another origin, but the same site: its forms bring the cookie along.
  const action = `${service}/app/settings/keys/${key.id}/revoke`;
  await using neighbor = await serve(`<form method="post" action="${action}"><button>Win</button>
    </form><iframe src="${service}/app/settings/keys"></iframe>`);
  await page.goto(neighbor.url);
  expect(await page.frameLocator('iframe').getByText('API keys').count()).toBe(0);
  const [sent] = await Promise.all([page.waitForRequest(action), press(page, 'Win')]);
  expect((await sent.allHeaders())['cookie']).toContain('podstead_session=');
  expect((await sent.response())?.status()).toBe(403);
  await page.goto(`${service}/app/settings/keys`);
  expect(await page.getByRole('link', { name: /^Revoke: / }).count()).toBe(1);
  await page.context().close();
});

it('the pages pass the accessibility checks', async () => {
  const user = await makeUser(app.ctx);
  await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  const { key } = await makeKey(app.ctx, user);
  const page = await open({ bypassCSP: true });
  await page.goto(`${service}/app/sign-in?email=${user.email}`);
  await page.getByLabel('Password').fill('wrong');
  await press(page, 'Sign in');
  await expectAccessible(page);
  await page.getByLabel('Password').fill(testPassword);
  await press(page, 'Sign in');
  await page.waitForURL('**/app/settings');
  for (const path of [
    '/app/settings',
    '/app/settings/email',
    '/app/settings/terms',
    '/app/settings/password',
    '/app/settings/sessions',
    '/app/settings/keys',
    '/app/settings/keys/new',
    `/app/settings/keys/${key.id}/roll`,
    `/app/settings/keys/${key.id}/widen`,
    '/app/podcasts',
    '/app/sign-up',
  ]) {
    await page.goto(service + path);
    await expectAccessible(page);
  }
  await page.context().close();
});
