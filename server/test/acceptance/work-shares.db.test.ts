import Type from 'typebox';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import { defineEndpoint } from '../../src/http/app/endpoint.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { defineKeyedRoute } from '../../src/http/v1/keyed/keyed-route.ts';
import { keyedResponses } from '../../src/http/v1/responses.ts';
import { createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeKey, makeUser } from '../make.ts';

let app: TestApp;
let user: User;
let atWork: number;
let most: number;
let open: PromiseWithResolvers<void>;

async function work(): Promise<void> {
  atWork += 1;
  most = Math.max(most, atWork);
  await open.promise;
  atWork -= 1;
}

beforeEach(async () => {
  [atWork, most, open] = [0, 0, Promise.withResolvers()];
  const slow = defineEndpoint('GET /app/api/slow', {
    id: 'slow',
    summary: 'Slow',
    handle: work,
  });
  const slowKeyed = defineKeyedRoute({
    ...{ path: '/v1/me/slow', id: 'slowKeyed', tag: 'Key', summary: 'Slow', description: '' },
    responses: keyedResponses('Done.', Type.Object({})),
    respond: async () => {
      await work();
      return {};
    },
  });
  const routes = createRoutes({ database: async () => undefined });
  app = await createTestApp({}, { endpoints: [...routes, slow, slowKeyed] });
  user = await makeUser(app.ctx);
});
afterEach(() => app[Symbol.asyncDispose]());

async function signIn(who: User) {
  const browser = createBrowser(app);
  await browser.signIn(who.email);
  return browser;
}

it('lets a user with several sessions have eight slow requests at work, and handles them all', async () => {
  const browsers = [await signIn(user), await signIn(user)];
  const other = await signIn(await makeUser(app.ctx));
  const all = Array.from({ length: 30 }, (_, n) => browsers[n % 2]?.get('/app/api/slow'));
  await vi.waitUntil(() => atWork === 8);
  expect((await other.get('/app/api/me')).statusCode).toBe(200);
  open.resolve();
  const responses = await Promise.all(all);
  expect(new Set(responses.map((response) => response?.statusCode))).toEqual(new Set([204]));
  expect(most).toBe(8);
});

it('refuses what does not fit into the queue before it looks the session up', async () => {
  const browser = await signIn(user);
  const all = Array.from({ length: 650 }, () => browser.get('/app/api/slow'));
  const refused = await Promise.race(all);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('5');
  await vi.waitUntil(() => atWork === 8);
  open.resolve();
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 429)).toHaveLength(42);
});

it('shares the work of all keys of a user, and lets them send the requests of a minute at once', async () => {
  const keys = [await makeKey(app.ctx, user), await makeKey(app.ctx, user)];
  const all = Array.from({ length: 300 }, (_, n) =>
    app.request({
      url: '/v1/me/slow',
      headers: { authorization: `Bearer ${keys[n % 2]?.secret}` },
    }),
  );
  await vi.waitUntil(() => atWork === 8);
  open.resolve();
  const responses = await Promise.all(all);
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(most).toBe(8);
});
