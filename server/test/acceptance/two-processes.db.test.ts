import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../src/domain/foundation/database.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { type DatabaseConnection, openDatabase } from '../../src/platform/database/database.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

// Only a database server allows a second process; the embedded database refuses it.
const onServer = process.env['TEST_DATABASE'] === 'postgres';

let one: TestApp;
let other: TestApp;
let connection: DatabaseConnection<Tables>;

beforeAll(async () => {
  if (!onServer) return;
  one = await createTestApp();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  connection = await openDatabase<Tables>({
    kind: 'server',
    url: one.databaseUrl ?? '',
    poolSize: 3,
    log,
  });
  other = await createTestApp({ SECRET: 'x'.repeat(40) }, { database: connection });
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
