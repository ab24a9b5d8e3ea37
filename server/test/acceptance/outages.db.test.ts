import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makePodcast } from '../make.ts';

/** Temporary errors give 503 with Retry-After, never 500. */
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** A show that no cache knows yet. */
async function newAddress(): Promise<string> {
  return `/v1/podcasts/${(await makePodcast(app.ctx)).slug}`;
}

const get = (url: string) => app.request({ method: 'GET', url });

async function expectOutage(asked: ReturnType<typeof get>, words: RegExp): Promise<void> {
  const response = await asked;
  expect([response.statusCode, response.json().error.code]).toEqual([503, 'service_unavailable']);
  expect(response.json().error.message).toMatch(words);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
}

const sqlError = (code: string) =>
  Object.assign(new Error('no'), { code, severity: 'ERROR', length: 2 });

it.each([
  [new Error('timeout exceeded when trying to connect'), /cannot reach its database/],
  [new Error('Client has encountered a connection error and is not queryable'), /cannot reach/],
  [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), /cannot reach/],
  [sqlError('57P01'), /cannot reach its database/],
  [sqlError('57014'), /too busy/],
  [sqlError('53100'), /disk space/],
  [Object.assign(new Error('no space left'), { code: 'ENOSPC' }), /disk space/],
])('%s: the service responds 503, and recovers', async (error, words) => {
  const url = await newAddress();
  const away = vi.spyOn(app.database.pool, 'connect');
  away.mockImplementation((...given: unknown[]) => {
    const [callback] = given as [((error: Error) => void) | undefined];
    return (callback === undefined ? Promise.reject(error) : callback(error)) as never;
  });
  await expectOutage(get(url), words);
  away.mockRestore();
  expect((await get(url)).statusCode).toBe(200);
});

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'a query that waits for a lock',
  () => {
    it.each([
      ['pg_cancel_backend', /too busy/],
      ['pg_terminate_backend', /cannot reach its database/],
    ])('a query that waits for a lock is ended by %s', async (end, words) => {
      const url = await newAddress();
      const other = await app.database.pool.connect();
      try {
        await other.query('begin');
        await other.query('lock table podcasts in access exclusive mode');
        const asked = get(url);
        await endWaiting(end);
        await expectOutage(asked, words);
      } finally {
        await other.query('rollback');
        other.release();
      }
      expect((await get(url)).statusCode).toBe(200);
    });
  },
);

/** Waits until a connection of this database waits for a lock, and ends it. */
async function endWaiting(end: string): Promise<void> {
  const find = () =>
    app.database.pool.query(
      `select ${end}(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await find()).rowCount, { timeout: 20_000 }).toBeGreaterThan(0);
}
