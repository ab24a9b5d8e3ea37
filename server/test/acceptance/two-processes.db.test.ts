import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../src/domain/foundation/database.ts';
import { checkDomain, removeDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { type DatabaseConnection, openDatabase } from '../../src/platform/database/database.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../make.ts';

// Only a database server allows a second process; the embedded database refuses it.
const onServer = process.env['TEST_DATABASE'] === 'postgres';

const records = createDomainRecords();
let one: TestApp;
let other: TestApp;
let connection: DatabaseConnection<Tables>;

beforeAll(async () => {
  if (!onServer) return;
  one = await createTestApp({}, { dns: records });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  connection = await openDatabase<Tables>({
    kind: 'server',
    url: one.databaseUrl ?? '',
    poolSize: 3,
    log,
  });
  other = await createTestApp({ SECRET: 'x'.repeat(40) }, { database: connection, dns: records });
});
afterAll(async () => {
  if (!onServer) return;
  await other[Symbol.asyncDispose]();
  await connection[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

/** Resolves with the next change that a process receives. */
const nextChange = (app: TestApp) =>
  new Promise<void>((resolve) => {
    const stop = app.ctx.announcements.subscribe({
      onChange: () => {
        stop();
        resolve();
      },
      onGap: () => undefined,
    });
  });

// REQ-24
it.runIf(onServer)('a process drops a cached payload when another process changes it', async () => {
  const podcast = await makePodcast(one.ctx);
  const episode = await makeEpisode(one.ctx, podcast, { title: 'Before' });
  const url = `/v1/episodes/${episode.id}`;
  const titleAt = async (app: TestApp) =>
    (await app.request({ method: 'GET', url })).json().data.title;
  expect([await titleAt(one), await titleAt(other)]).toEqual(['Before', 'Before']);
  const heard = nextChange(other);
  await updateEpisode(one.ctx, episode.id, { title: 'After' });
  expect(await titleAt(one)).toBe('After');
  await heard;
  expect(await titleAt(other)).toBe('After');
});

// DOMAIN-7, DOMAIN-9
it.runIf(onServer)('a process serves a domain that another process has verified', async () => {
  const { id, slug } = await makePodcast(one.ctx, { title: 'Night Signals' });
  const host = 'night.example';
  const at = (from: string, url: string) =>
    other.request({ method: 'GET', url, headers: { host: from } });
  const page = `/listen/${slug}`;
  expect((await at('test.local', page)).statusCode).toBe(200);
  const { token } = await setDomain(one.ctx, id, host);
  records.set(host, { txt: token, addresses: [servedAt] });
  await checkDomain(one.ctx, id);
  await expect.poll(async () => (await at(host, '/')).body).toContain('Night Signals');
  expect((await at('test.local', page)).headers['location']).toBe(`http://${host}/`);
  await removeDomain(one.ctx, id);
  await expect.poll(async () => (await at(host, '/')).body).not.toContain('Night Signals');
  expect((await at('test.local', page)).statusCode).toBe(200);
});

// DOMAIN-5
it.runIf(onServer)('two processes do not verify one domain for two shows', async () => {
  const host = 'both.example';
  const shows = await Promise.all([one, other].map(({ ctx }) => makePodcast(ctx)));
  const domains = await Promise.all(shows.map(({ id }) => setDomain(one.ctx, id, host)));
  const txt = domains.map(({ token }) => token);
  records.set(host, { txt, addresses: [servedAt] });
  // Each has its responses before the other has stored anything.
  let asked = 0;
  const both = Promise.withResolvers<void>();
  records.onQuestion = (name) => {
    if (name !== host) return undefined;
    asked += 1;
    if (asked === 2) both.resolve();
    return both.promise;
  };
  const checks = [one, other].map(({ ctx }, n) => checkDomain(ctx, shows[n]?.id ?? ''));
  const results = await Promise.all(checks).finally(() => {
    records.onQuestion = () => undefined;
  });
  expect(results.map(({ state, taken }) => `${state} ${taken}`).toSorted()).toEqual([
    'verified false',
    'waiting true',
  ]);
});
