import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSecondBrowser } from '../../../player/test/find-chromium.ts';
import { getUserByEmail, type User } from '../../src/domain/foundation/accounts/index.ts';
import { codeVerifier, connectPath } from '../connect-request.ts';
import type { TestApp } from '../create-test-app.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { findEmailToken } from '../find-emails.ts';
import { makeCertificate, testHost } from '../hosts/certificate.ts';
import { type HttpHost, openHttpHost } from '../hosts/http-host.ts';
import { makePodcast, makeUser, testPassword } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// From a site's plugin to the approval page and back, in a real browser.

const tls = makeCertificate();
const home = `https://${testHost}/`;
const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
/** The site's server, at `home` for the browser. */
let site: HttpHost;

beforeAll(async () => {
  site = opened.use(
    await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>The settings</h1>');
    }, tls),
  );
  const rule = `--host-resolver-rules=MAP ${testHost}:443 127.0.0.1:${site.port}`;
  ({ browser, app, service } = opened.use(await serveToBrowser({}, [rule])));
  // Cookies live by the browser's clock.
  app.clock.set(new Date());
}, 120_000);
afterAll(() => opened.disposeAsync());

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width: 390, height: 800 };
  const context = await browser.newContext({ viewport, ignoreHTTPSErrors: true, ...options });
  return context.newPage();
}

const path = connectPath({
  site_url: home,
  rest_root: `${home}wp-json/`,
  admin_url: `${home}wp-admin/`,
  redirect_uri: `${home}wp-admin/admin.php?page=podstead`,
});
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function makeOwner(): Promise<User> {
  const user = await makeUser(app.ctx);
  await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  await makePodcast(app.ctx, { owner: user, title: 'Day Signals' });
  return user;
}

async function signIn(page: Page, { email }: Pick<User, 'email'>): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(testPassword);
  await press(page, 'Sign in');
}

/** The code that came back to the site, exchanged as its plugin does. */
async function exchange(page: Page) {
  const code = new URL(page.url()).searchParams.get('code');
  const response = await fetch(`${service}/v1/sites/exchange`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: codeVerifier }),
  });
  const { data } = (await response.json()) as { data?: { podcasts: string[] } };
  return { status: response.status, podcasts: data?.podcasts };
}

describe.skipIf(tls === undefined)('a site is connected', () => {
  it('a site is connected by a user who has to sign in first, without a script', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(service + path);
    await signIn(page, await makeOwner());
    await page.waitForURL('**/connect?*');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Connect ${testHost}`);
    await page.getByLabel('Night Signals').check();
    await press(page, 'Allow');
    await page.waitForURL(`${home}wp-admin/**`);
    expect(await page.getByText('The settings').isVisible()).toBe(true);
    expect(new URL(page.url()).searchParams.get('state')).toBe('state-of-the-plugin');
    // The browser may then request the site's icon, and name the page.
    const back = site.requests.find(({ path }) => path === page.url().replace(home, '/'));
    expect(back?.headers).toBeDefined();
    expect(back?.headers).not.toHaveProperty('referer');
    const { status, podcasts } = await exchange(page);
    expect(status).toBe(200);
    expect(podcasts).toHaveLength(1);
    expect((await exchange(page)).status).toBe(400);
    await page.context().close();
  });
});

// The engine alone decides these, and both browsers have the same.
if (!isSecondBrowser) {
  describe.skipIf(tls === undefined)('a site that asks for a connection', () => {
    it('a site is not connected if the user denies it', async () => {
      const page = await open();
      await page.goto(service + path);
      await signIn(page, await makeOwner());
      await press(page, 'Deny');
      await page.waitForURL(`${home}wp-admin/**`);
      const { searchParams } = new URL(page.url());
      expect(Object.fromEntries(searchParams)).toEqual({
        page: 'podstead',
        error: 'access_denied',
        state: 'state-of-the-plugin',
      });
      await page.context().close();
    });

    it('a site is connected by a user who signs up on the way', async () => {
      const page = await open({ javaScriptEnabled: false });
      await page.goto(service + path);
      await page.getByRole('link', { name: 'Create account' }).click();
      await page.getByLabel('Email address').fill('new@example.com');
      await press(page, 'Send the email');
      await page.waitForURL('**/app/email-sent');
      const token = await findEmailToken(app, 'new@example.com');
      await page.goto(`${service}/app/sign-up/confirm?token=${token}`);
      await page.getByLabel('Your name').fill('Ana');
      await page.getByLabel('Password').fill(testPassword);
      await press(page, 'Create account');
      await page.waitForURL(service + path);
      expect(await page.getByText('None of your shows can be connected.').count()).toBe(1);
      const owner = await getUserByEmail(app.ctx, 'new@example.com');
      await makePodcast(app.ctx, { owner });
      await page.reload();
      // The user's only show is selected already.
      await press(page, 'Allow');
      await page.waitForURL(`${home}wp-admin/**`);
      expect((await exchange(page)).status).toBe(200);
      await page.context().close();
    });

    it('a site is connected with the keyboard alone', async () => {
      const page = await open();
      await page.goto(service + path);
      await signIn(page, await makeOwner());
      await page.waitForURL('**/connect?*');
      await page.bringToFront();
      const focused = () =>
        page.evaluate('document.activeElement?.textContent || document.activeElement?.value');
      const reached: unknown[] = [];
      for (let tabs = 0; tabs < 10 && reached.at(-1) !== 'Allow'; tabs += 1) {
        await page.keyboard.press('Tab');
        reached.push(await focused());
        if (reached.length === 2) await page.keyboard.press('Space');
      }
      expect(reached.at(-1)).toBe('Allow');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${home}wp-admin/**`);
      expect((await exchange(page)).podcasts).toHaveLength(1);
      await page.context().close();
    });
  });

  it('no other site frames the approval page, or sends its form', async () => {
    const page = await open();
    const user = await makeOwner();
    await page.goto(service + path);
    await signIn(page, user);
    await page.waitForURL('**/connect?*');
    const attack = `<form method="post" action="${service}${path.replaceAll('&', '&amp;')}">
    <button name="decision" value="deny">Win</button></form><iframe src="${service}${path}"></iframe>`;
    await using neighbor = await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(attack);
    });
    await page.goto(neighbor.url);
    expect(await page.frameLocator('iframe').getByText('Night Signals').count()).toBe(0);
    const [response] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      press(page, 'Win'),
    ]);
    expect(response.status()).toBe(403);
    await page.context().close();
  });

  it('the pages read well to everyone', async () => {
    const user = await makeOwner();
    const page = await open({ bypassCSP: true });
    await page.goto(`${service}/app/sign-in`);
    await signIn(page, user);
    await page.waitForURL('**/app');
    for (const shown of [
      path,
      connectPath({ redirect_uri: 'javascript:alert(1)' }),
      '/docs/sites',
    ]) {
      await page.goto(service + shown);
      await expectAccessible(page);
    }
    await page.context().close();
  });
}
