import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow } from '../../../test/downloads.ts';
import { destroySecretOfLog, purgeEvidence, secretForDay, secretForLog } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const count = async (table: string) =>
  (await test.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;
const tables = async () =>
  (
    await test.database.pool.query(
      `select relname from pg_class where relname ~ '^download_.*_(2026_|log_)' and relkind = 'r'`,
    )
  ).rows.map(({ relname }) => relname);

it('evidence, listeners and the secret of a day go when it can be revised no more', async () => {
  const show = await makeShow(test.ctx);
  const secret = await secretForDay(test.ctx, '2026-03-10');
  expect(secret).toHaveLength(32);
  expect(await secretForDay(test.ctx, '2026-03-10')).toEqual(secret);
  await ingest(test.ctx, makeAudioRequest(test.ctx, show));
  test.clock.advance(2 * dayMs);
  await purgeEvidence(test.ctx);
  expect(await count('download_requests')).toBe(1);
  expect(await secretForDay(test.ctx, '2026-03-10')).toEqual(secret);
  test.clock.advance(dayMs);
  await purgeEvidence(test.ctx);
  expect(await count('download_requests')).toBe(0);
  expect(await count('download_listeners')).toBe(0);
  expect(await count('download_secrets')).toBe(0);
  // Dropped tables leave no bytes on the disk, as deleted rows would.
  expect((await tables()).filter((name) => name.includes('2026_03_10'))).toEqual([]);
  expect(await count('podcast_download_days')).toBe(1);
  await expect(secretForDay(test.ctx, '2026-03-10')).rejects.toThrow(RangeError);
});

it('rows of old days stay while a log is read, and its secret with them', async () => {
  const show = await makeShow(test.ctx);
  const secret = await secretForLog(test.ctx, 'abc123');
  await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: new Date(0) }));
  await purgeEvidence(test.ctx);
  expect(await count('download_listeners_old')).toBe(1);
  expect(await secretForLog(test.ctx, 'abc123')).toEqual(secret);
  await destroySecretOfLog(test.ctx, 'abc123');
  await purgeEvidence(test.ctx);
  expect(await count('download_listeners_old')).toBe(0);
  expect((await tables()).filter((name) => name.includes('log_'))).toEqual([]);
});

it('rows of old days keep no other day from a table of its own', async () => {
  const show = await makeShow(test.ctx);
  // No purge has made this day's tables ahead.
  test.clock.advance(5 * dayMs);
  await secretForLog(test.ctx, 'def456');
  const present = makeAudioRequest(test.ctx, show, { at: test.clock.now() });
  await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: new Date(0) }));
  await ingest(test.ctx, present);
  await destroySecretOfLog(test.ctx, 'def456');
  await purgeEvidence(test.ctx);
  expect(await count('download_requests')).toBe(1);
  expect(await count('download_listeners')).toBe(1);
  expect(await ingest(test.ctx, present)).toMatchObject({ newBatches: 1, counted: 0 });
});

it('many processes that ask at once get one secret', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 8 }, () => secretForDay(test.ctx, '2026-03-18')),
  );
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
});
