import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listKeys } from '../../src/domain/access/keys/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { findEmailToken } from '../find-emails.ts';
import { makeKey, makeUser, testPassword } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// The account pages in a real browser, which applies cookies, policies and headers.

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

/** Serves a page of another site. */
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

it('the pages lead from an address to an account without JavaScript', async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(`${service}/app/sign-up`);
  await page.getByLabel('Email address').fill('ana@example.com');
  await press(page, 'Send the email');
  await page.waitForURL('**/app/email-sent');

  const token = await findEmailToken(app, 'ana@example.com');
  await page.goto(`${service}/app/sign-up/confirm?token=${token}`);
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('Password').fill('short');
  await press(page, 'Create account');
  expect(page.url()).toBe(`${service}/app/sign-up/confirm`);
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ana');
  await page.getByLabel('Password').fill(testPassword);
  await page.getByLabel('I accept the terms').check();
  await press(page, 'Create account');
  await page.waitForURL('**/app?done=signed-up');

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
  await page.waitForURL('**/app');

  // Another port is another origin, but the same site: browsers send the cookie with its forms.
  const actions = { Win: '/app/sign-out', Roll: `/app/api/keys/${key.id}/roll` };
  const forms = Object.entries(actions).map(
    ([name, path]) =>
      `<form method="post" action="${service}${path}"><button>${name}</button></form>`,
  );
  const frames = ['/app/settings/keys', '/app/sign-in'].map(
    (path) => `<iframe src="${service}${path}"></iframe>`,
  );
  await using neighbor = await serve(forms.join('') + frames.join(''));
  for (const [name, path] of Object.entries(actions)) {
    await page.goto(neighbor.url);
    const framed = () => page.frames().map((frame) => frame.url());
    const refused = 'chrome-error://chromewebdata/';
    await expect.poll(framed).toEqual([neighbor.url, refused, refused]);
    const [sent] = await Promise.all([page.waitForRequest(service + path), press(page, name)]);
    expect((await sent.allHeaders())['cookie']).toContain('podstead_session=');
    expect((await sent.response())?.status()).toBe(403);
  }
  const [kept] = await listKeys(app.ctx, user.id);
  expect(kept?.lastFour).toBe(key.lastFour);
  expect((await page.goto(`${service}/app`))?.url()).toBe(`${service}/app`);
  await page.context().close();
});

it('the pages pass the accessibility checks', async () => {
  const user = await makeUser(app.ctx);
  const page = await open({ bypassCSP: true });
  await page.goto(`${service}/app/sign-in?email=${user.email}`);
  await page.getByLabel('Password').fill('wrong');
  await press(page, 'Sign in');
  await expectAccessible(page);
  await page.getByLabel('Password').fill(testPassword);
  await press(page, 'Sign in');
  await page.waitForURL('**/app');
  for (const path of ['/app/forgot', '/app/sign-up']) {
    await page.goto(service + path);
    await expectAccessible(page);
  }
  await page.context().close();
});
