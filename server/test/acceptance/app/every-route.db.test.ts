import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../src/http/route.ts';
import { createRoutes } from '../../../src/http/routes.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeUser } from '../../make.ts';

/** Rules for every address under /app, including new ones. */
let app: TestApp;
let cookie: string;
let url: (route: Route, id?: string) => string;

beforeAll(async () => {
  app = await createTestApp();
  const browser = createBrowser(app);
  await browser.signIn((await makeUser(app.ctx)).email);
  cookie = browser.cookie ?? '';
  url = (route, id = '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f') =>
    route.path.replace(':source', 'apple').replace(/:\w+/g, id);
});
afterAll(() => app[Symbol.asyncDispose]());

/** The built files of the app are the same for everybody and contain no personal data. */
const isBuilt = ({ path }: Route) => path.startsWith('/app/assets/') || path === '/app/worker.js';
const routes = createRoutes({}).filter(
  (route) => /^\/app(?:\/|$)/.test(route.path) && !isBuilt(route),
);
const named = (list: readonly Route[]) =>
  list.map((route) => [`${route.method} ${route.path}`, route] as const);
const reads = routes.filter(({ method }) => method === 'GET');
const writes = routes.filter(({ method }) => method !== 'GET');
const isApi = ({ path }: Route) => path.startsWith('/app/api/');
const isForm = ({ body }: Route) => body === 'form' || body === 'long form';
/** Of its body, in bytes. */
function limitOf({ body }: Route): number {
  if (body === 'long form') return 256 * 1024;
  return (typeof body === 'object' ? body.maxBytes : undefined) ?? 64 * 1024;
}

const from = (headers: Record<string, string>) => createBrowser(app, { headers });
const ask = (browser: Browser, route: Route, id?: string) => {
  const address = url(route, id);
  if (route.method === 'GET') return browser.get(address);
  if (isForm(route)) return browser.submit(address);
  return browser.send(route.method, address, route.body && {});
};

it('every route declares its access', () => {
  for (const { path, access } of routes) expect(['visitor', 'session'], path).toContain(access);
});

describe.each(named(writes))('%s', (_name, route) => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://test.local' },
    { origin: '' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('a route refuses a request from %o', async (headers) => {
    const response = await ask(from({ ...headers, cookie }), route);
    expect(response.statusCode).toBe(403);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('a route refuses a request without an Origin', async () => {
    const response = await app.request({
      method: route.method,
      url: url(route),
      headers: { cookie },
    });
    expect(response.statusCode).toBe(403);
  });

  it('accepts one content type and a limited size', async () => {
    // A stream may have any type; its verb limits its size.
    if (route.body === undefined || route.body === 'stream') return;
    const type = isForm(route) ? 'application/x-www-form-urlencoded' : 'application/json';
    const send = (contentType: string, payload: string) =>
      app.request({
        method: route.method,
        url: url(route),
        headers: { cookie, origin: 'http://test.local', 'content-type': contentType },
        payload,
      });
    for (const other of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml']) {
      expect((await send(other, '{}')).statusCode, other).toBe(415);
    }
    const crossed =
      type === 'application/json' ? 'application/x-www-form-urlencoded' : 'application/json';
    const tooLong = 'x'.repeat(limitOf(route) + 5_000);
    const refused = [await send(crossed, '{}'), await send(type, tooLong)];
    expect(refused.map((response) => response.statusCode)).toEqual([415, 413]);
    if (!isApi(route)) return;
    for (const response of refused) expect(response.json().error.code).toBe('invalid_request');
  });

  it('refuses unknown properties', async () => {
    if (typeof route.body !== 'object') return;
    const response = await from({ cookie }).send(route.method as 'POST', url(route), {
      surplus: 1,
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContainEqual({
      field: 'surplus',
      message: 'Unknown property.',
    });
  });
});

describe.each(named(routes.filter(({ access }) => access === 'session')))('%s', (_name, route) => {
  // PAGE-9
  it('requires a session, without a browser dialog', async () => {
    for (const browser of [from({}), from({ cookie: `podstead_session=${'a'.repeat(43)}` })]) {
      const response = await ask(browser, route);
      expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
      expect(response.headers['www-authenticate']).toBeUndefined();
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });
});

describe.each(named(routes.filter((route) => isApi(route) && /:\w+Id\b/.test(route.path))))(
  '%s',
  (_name, route) => {
    it('finds nothing by what is no id', async () => {
      const response = await ask(from({ cookie }), route, 'nonsense');
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
    });
  },
);

describe.each(named(writes.filter(({ body, access }) => body === 'form' && access === 'visitor')))(
  '%s',
  (_name, route) => {
    it('a route redirects back to an existing page after the sign-in', async () => {
      const { headers } = await ask(from({}), route);
      const location = new URL(String(headers['location'] ?? '/'), 'http://test.local');
      const next = location.searchParams.get('next');
      if (next === null) return;
      expect((await from({ cookie }).get(next)).statusCode).not.toBe(405);
    });
  },
);

it.each(['/app/invitation/decline', '/app/invitation/sign-up', '/app/ownership/decline'])(
  'the address %s, which only a button requests, has no page',
  async (path) => {
    expect((await from({}).get(path)).statusCode).toBe(405);
  },
);

it('redirects an address with a slash at the end', async () => {
  const response = await from({}).get('/app/');
  expect([response.statusCode, response.headers['location']]).toEqual([301, '/app']);
});

describe.each(named(reads))('%s', (_name, route) => {
  it('forbids caching, frames and reads by other origins', async () => {
    const response = await ask(from({ cookie, origin: 'https://evil.example' }), route);
    expect([200, 301, 303, 404, 410]).toContain(response.statusCode);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    if (isApi(route) || ![200, 410].includes(response.statusCode)) return;
    const policy = String(response.headers['content-security-policy']);
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      expect(policy).toContain(part);
    }
    expect(response.headers['referrer-policy']).toBe('same-origin');
    expect(response.body).toMatch(/<meta name="robots" content="noindex"(?: \/)?>/);
  });
});

it('a path has only the methods of its routes', async () => {
  const response = await from({ cookie }).send('PUT', '/app/api/sessions');
  expect(response.statusCode).toBe(405);
  expect(response.headers['allow']).toBe('GET, HEAD, DELETE, OPTIONS');
  const unknown = await from({ cookie }).get('/app/api/nothing');
  expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'not_found']);
});
