import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { maxSites } from '../../../src/lib/limits.ts';
import { codeVerifier, connectParameters, connectPath } from '../../connect-request.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';
import { makeSite } from '../../make-site.ts';

let app: TestApp;
let browser: Browser;
let user: User;
let show: Podcast;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  // Sign-ins of one address are limited.
  people += 1;
  browser = createBrowser(app, { address: `198.51.100.${people}` });
  await browser.signIn(user.email);
});

const allow = (path: string, podcasts: readonly string[] = [show.id]) =>
  browser.submit(path, { podcasts, decision: 'allow' });

function locationOf(response: { readonly headers: Readonly<Record<string, unknown>> }): URL {
  return new URL(String(response.headers['location']));
}

async function exchange(code: string) {
  const payload = JSON.stringify({ code, code_verifier: codeVerifier });
  const headers = { 'content-type': 'application/json' };
  return app.request({ method: 'POST', url: '/v1/sites/exchange', headers, payload });
}

describe('the approval page', () => {
  it('shows the site that asks, and what the user may allow', async () => {
    const page = await browser.get(connectPath());
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<h1>Connect blog.example.com</h1>');
    expect(page.body).toContain('https://<strong>blog.example.com</strong>/');
    expect(page.body).toContain('<bdi>Ana’s blog</bdi>');
    expect(page.body).toContain(`value="${show.id}" checked`);
    expect(page.body).not.toContain('connected already');
    expect(page.body).toContain(user.email);
  });

  it('the approval page cannot be framed or cached, and its form redirects only to the site', async () => {
    const { headers } = await browser.get(connectPath());
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://blog.example.com;");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  // PAGE-8, SITE-4, SITE-5
  it('gives a code that the plugin can exchange', async () => {
    const response = await allow(connectPath());
    expect(response.statusCode).toBe(303);
    expect(response.headers['cache-control']).toBe('no-store');
    const { origin, pathname, searchParams } = locationOf(response);
    expect(origin + pathname).toBe('https://blog.example.com/wp-admin/admin.php');
    const { code = '', ...others } = Object.fromEntries(searchParams);
    expect(others).toEqual({ page: 'podstead', tab: '1', state: 'state-of-the-plugin' });
    const { data } = (await exchange(code)).json();
    expect(data.podcasts).toMatchObject([show.id]);
    expect(data.scopes).not.toContain('transcripts:read');
  });

  // SITE-2, SITE-5
  it('includes transcripts if the user says so', async () => {
    const fields = { podcasts: [show.id], transcripts: 'true', decision: 'allow' };
    const response = await browser.submit(connectPath(), fields);
    const { data } = (await exchange(locationOf(response).searchParams.get('code') ?? '')).json();
    expect(data.scopes).toContain('transcripts:read');
  });

  it('gives a new code for each approval', async () => {
    const codes = await Promise.all([allow(connectPath()), allow(connectPath())]);
    const [first = '', second = ''] = codes.map(
      (response) => locationOf(response).searchParams.get('code') ?? '',
    );
    expect(first).not.toBe(second);
    expect((await exchange(first)).statusCode).toBe(200);
    expect((await exchange(second)).statusCode).toBe(200);
    expect((await exchange(second)).statusCode).toBe(400);
  });

  // SITE-5
  it('sends a refusal back without a code', async () => {
    const response = await browser.submit(connectPath(), { decision: 'deny' });
    expect(response.statusCode).toBe(303);
    expect(Object.fromEntries(locationOf(response).searchParams)).toEqual({
      page: 'podstead',
      tab: '1',
      error: 'access_denied',
      state: 'state-of-the-plugin',
    });
  });

  it('replaces parameters of the address that have the names of the response', async () => {
    const redirect_uri = 'https://blog.example.com/wp-admin/x?code=a&code=b&error=c&state=d';
    const { searchParams } = locationOf(await allow(connectPath({ redirect_uri })));
    expect(searchParams.getAll('state')).toEqual(['state-of-the-plugin']);
    expect(searchParams.getAll('code')).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(searchParams.has('error')).toBe(false);
  });

  it('requires a decision and a show', async () => {
    const undecided = await browser.submit(connectPath(), { podcasts: [show.id] });
    expect(undecided.statusCode).toBe(400);
    const none = await allow(connectPath(), []);
    expect(none.statusCode).toBe(400);
    expect(none.body).toContain('id="podcasts-problem"');
    expect(none.body).toContain('Choose at least one show.');
  });

  it('the approval page says that the address is connected already, with its present shows', async () => {
    const second = await makePodcast(app.ctx, { owner: user });
    await makeSite(app.ctx, user, [second], { siteUrl: 'https://blog.example.com/' });
    const { body } = await browser.get(connectPath());
    expect(body).toContain('connected already');
    expect(body).toContain(`value="${second.id}" checked`);
    expect(body).not.toContain(`value="${show.id}" checked`);
    const other = await makeUser(app.ctx);
    await browser.signIn(other.email);
    expect((await browser.get(connectPath())).body).not.toContain('connected already');
  });
});

it('refuses another site beyond the limit, but accepts one that is connected', async () => {
  const sites = Array.from({ length: maxSites }, (_, n) => `https://${n}.example.com/`);
  for (const siteUrl of sites) await makeSite(app.ctx, user, [show], { siteUrl, active: false });
  const refused = await allow(connectPath());
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain(`at most ${maxSites} connected sites`);
  const [home = ''] = sites;
  const again = connectPath({
    site_url: home,
    rest_root: `${home}wp-json/`,
    admin_url: undefined,
    redirect_uri: `${home}wp-admin/`,
  });
  expect((await allow(again)).statusCode).toBe(303);
});

describe('the shows of the approval page', () => {
  it('the shows of the approval page leave out those that cannot be connected, with the reason', async () => {
    const other = await makeUser(app.ctx);
    await makePodcast(app.ctx, { owner: user, title: 'Elsewhere', hostingType: 'external' });
    const helped = await makePodcast(app.ctx, { owner: other, title: 'Helped' });
    await addMember(app.ctx, { podcastId: helped.id, userId: user.id, role: 'editor' });
    const led = await makePodcast(app.ctx, { owner: other, title: 'Led' });
    await addMember(app.ctx, { podcastId: led.id, userId: user.id, role: 'admin' });
    await makePodcast(app.ctx, { owner: other, title: 'Not theirs' });
    const { body } = await browser.get(connectPath());
    expect(body).toContain(`value="${led.id}"`);
    expect(body).not.toContain(`value="${helped.id}"`);
    expect(body).toContain('<strong>Elsewhere</strong>: its audio is not hosted here.');
    expect(body).toContain('<strong>Helped</strong>: only its owner or an admin can');
    expect(body).not.toContain('Not theirs');
    const refused = await allow(connectPath(), [helped.id]);
    expect(refused.statusCode).toBe(400);
    expect(refused.headers['location']).toBeUndefined();
  });

  it('the shows of the approval page can be empty: then only a refusal is possible', async () => {
    await setPlan(app.ctx, { email: user.email, plan: 'free', planState: 'active' });
    const { body } = await browser.get(connectPath());
    expect(body).toContain('None of your shows can be connected');
    expect(body).toContain('its plan does not include the API');
    expect(body).not.toContain('value="allow"');
    expect(body).toContain('value="deny"');
    expect((await allow(connectPath())).statusCode).toBe(400);
  });
});

describe('a visitor who is not signed in', () => {
  it('returns to the same request, also from a form', async () => {
    const path = connectPath();
    const visitor = createBrowser(app);
    for (const response of [
      await visitor.get(path),
      await visitor.submit(path, { decision: 'x' }),
    ]) {
      expect(response.statusCode).toBe(303);
      const location = new URL(String(response.headers['location']), 'http://test.local');
      expect(location.pathname).toBe('/app/sign-in');
      const next = new URL(location.searchParams.get('next') ?? '', 'http://test.local');
      expect(next.pathname).toBe('/connect');
      expect(Object.fromEntries(next.searchParams)).toEqual(
        Object.fromEntries(connectParameters()),
      );
    }
  });
});

it('refuses a form of another site', async () => {
  const headers = { origin: 'https://evil.example', cookie: browser.cookie ?? '' };
  const stranger = createBrowser(app, { headers });
  const response = await stranger.submit(connectPath(), { podcasts: [show.id], decision: 'allow' });
  expect(response.statusCode).toBe(403);
  expect(response.headers['location']).toBeUndefined();
});

describe('a wrong request', () => {
  const home = 'https://blog.example.com/';
  const hostile: [string, Record<string, string | undefined>, string][] = [
    ['no address', { site_url: undefined }, 'site_url'],
    ['an address without TLS', { site_url: 'http://blog.example.com/' }, 'site_url'],
    ['a port', { site_url: 'https://blog.example.com:8443/' }, 'site_url'],
    ['login details', { site_url: 'https://blog.example.com@evil.example/' }, 'site_url'],
    ['a backslash', { site_url: 'https://evil.example\\@blog.example.com/' }, 'site_url'],
    ['a semicolon in the host', semicolon(), 'site_url'],
    ['a host that is no name', { ...at('https://[2001:db8::1]/') }, 'site_url'],
    ['a script', { redirect_uri: 'javascript:alert(1)//wp-admin/' }, 'redirect_uri'],
    ['data', { redirect_uri: 'data:text/html,/wp-admin/' }, 'redirect_uri'],
    ['another host', { redirect_uri: 'https://evil.example/wp-admin/' }, 'redirect_uri'],
    [
      'a longer host',
      { redirect_uri: 'https://blog.example.com.evil.example/wp-admin/' },
      'redirect_uri',
    ],
    ['no scheme', { redirect_uri: '//blog.example.com/wp-admin/' }, 'redirect_uri'],
    ['a path alone', { redirect_uri: '/wp-admin/' }, 'redirect_uri'],
    ['a line break', { redirect_uri: `${home}wp-admin/\r\nSet-Cookie: a=b` }, 'redirect_uri'],
    ['a fragment', { redirect_uri: `${home}wp-admin/#code` }, 'redirect_uri'],
    ['dot segments', { redirect_uri: `${home}wp-admin/../feed` }, 'redirect_uri'],
    ['a page of the site', { redirect_uri: `${home}?next=/wp-admin/` }, 'redirect_uri'],
    [
      'a very long address',
      { redirect_uri: `${home}wp-admin/${'a'.repeat(2048)}` },
      'redirect_uri',
    ],
    [
      'another home path',
      { site_url: `${home}blog/`, rest_root: `${home}blog/wp-json/` },
      'redirect_uri',
    ],
    ['another REST address', { rest_root: 'https://evil.example/wp-json/' }, 'rest_root'],
    ['a name with a new direction', { site_name: 'a\u202eb' }, 'site_name'],
    ['a long name', { site_name: 'a'.repeat(201) }, 'site_name'],
    ['no state', { state: undefined }, 'state'],
    ['a challenge that is none', { code_challenge: 'x' }, 'code_challenge'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'code_challenge_method'],
    ['no method', { code_challenge_method: undefined }, 'code_challenge_method'],
  ];

  function at(url: string) {
    return {
      site_url: url,
      rest_root: `${url}wp-json/`,
      admin_url: undefined,
      redirect_uri: `${url}wp-admin/`,
    };
  }
  function semicolon() {
    return at('https://blog.example.com;script-src/');
  }

  it.each(hostile)(
    'a wrong request is explained and leads nowhere: %s',
    async (_name, changes, field) => {
      const path = connectPath(changes);
      for (const response of [await browser.get(path), await allow(path)]) {
        expect(response.statusCode).toBe(400);
        expect(response.body).toContain('This request is invalid');
        expect(response.body).toContain(`<code>${field}</code>`);
        expect(response.headers['location']).toBeUndefined();
        expect(response.body).not.toContain('evil.example');
        expect(response.body).not.toContain('javascript:');
        const policy = String(response.headers['content-security-policy']);
        expect(policy).toContain("form-action 'self';");
      }
    },
  );

  it('a request with a parameter twice is wrong', async () => {
    for (const [name] of connectParameters()) {
      const response = await browser.get(`${connectPath()}&${name}=x`);
      expect(response.statusCode, name).toBe(400);
      expect(response.body).toContain(`<dt><code>${name}</code></dt><dd>This is given twice.</dd>`);
    }
  });

  it('a request with unknown parameters is not wrong', async () => {
    const response = await browser.get(`${connectPath()}&utm_source=x&plugin=1`);
    expect(response.statusCode).toBe(200);
  });
});

it.each([
  ['https://bücher.example/', 'xn--bcher-kva.example', 'bücher.example'],
  ['https://XN--80AK6AA92E.com/', 'xn--80ak6aa92e.com', 'аррӏе.com'],
])('shows the host %s in punycode', async (home, ascii, unicode) => {
  const path = connectPath({
    site_url: home,
    rest_root: `${home}wp-json/`,
    admin_url: undefined,
    redirect_uri: `${home}wp-admin/`,
  });
  const { statusCode, body, headers } = await browser.get(path);
  expect(statusCode).toBe(200);
  expect(body).toContain(`<h1>Connect ${ascii}</h1>`);
  expect(body).toContain(`https://<strong>${ascii}</strong>/`);
  expect(body).toContain(`written as <bdi>${unicode}</bdi>`);
  expect(String(headers['content-security-policy'])).toContain(`'self' https://${ascii};`);
  expect(locationOf(await allow(path)).host).toBe(ascii);
});
