import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';
import { patience } from '../../patience.ts';

let app: TestApp;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The browser of somebody who is signed in, and the path of an export of their show. */
async function makeOwner(): Promise<{ browser: Browser; path: string }> {
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner });
  people += 1;
  const browser = createBrowser(app, { address: `192.0.2.${people}` });
  await browser.signIn(owner.email);
  return { browser, path: `/app/api/podcasts/${show.id}/export` };
}

// It needs a second connection, which the embedded database does not have.
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'exports whose statements wait',
  () => {
    it('leave connections of the pool to everyone else', async () => {
      const owners = await Promise.all(Array.from({ length: 6 }, makeOwner));
      const other = await makeOwner();
      const client = await app.database.pool.connect();
      await client.query('begin; lock table podcasts in access exclusive mode');
      const waiting = async () => {
        const { rows } = await app.database.pool.query('select from pg_locks where not granted');
        return rows.length;
      };
      const exports = owners.flatMap(({ browser, path }) => [browser.get(path), browser.get(path)]);
      await vi.waitFor(async () => expect(await waiting()).toBeGreaterThanOrEqual(2), patience);
      for (let asked = 0; asked < 10; asked += 1)
        expect((await other.browser.get('/app/api/uploads')).statusCode).toBe(200);
      expect(await waiting()).toBe(2);
      await client.query('rollback');
      client.release();
      for (const { statusCode } of await Promise.all(exports)) expect(statusCode).toBe(200);
    });
  },
);

describe('an export whose client leaves', () => {
  it('an export whose client leaves is not made when its turn comes', async () => {
    const [first, second, third] = [await makeOwner(), await makeOwner(), await makeOwner()];
    const { promise: mayOpen, resolve: goOn } = Promise.withResolvers<void>();
    const { openSnapshot } = app.database;
    const opening = vi.spyOn(app.database, 'openSnapshot').mockImplementation(async (tables) => {
      await mayOpen;
      return await openSnapshot(tables);
    });
    const begun = first.browser.get(first.path);
    await vi.waitFor(() => expect(opening).toHaveBeenCalledTimes(1), patience);
    await leave(second);
    const after = third.browser.get(third.path);
    goOn();
    expect((await begun).statusCode).toBe(200);
    expect((await after).statusCode).toBe(200);
    expect(opening).toHaveBeenCalledTimes(2);
    opening.mockRestore();
  });
});

/** Requests an export, and closes the connection while it waits for its turn. */
async function leave({ browser, path }: { browser: Browser; path: string }): Promise<void> {
  const { server } = app.http;
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const received = once(server.server, 'request');
  const headers = { cookie: browser.cookie ?? '' };
  const asked = request({ host: '127.0.0.1', port, path, headers });
  asked.on('error', () => undefined).end();
  const response: ServerResponse = (await received)[1];
  await vi.waitFor(
    () => expect(response.getHeader('content-type')).toBe('application/zip'),
    patience,
  );
  const closed = once(response, 'close');
  asked.destroy();
  await closed;
}
