import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow } from '../../../../test/downloads.ts';
import { addDays, utcDayOf } from '../../../lib/utc-day.ts';
import { newId } from '../../../lib/uuid.ts';
import { ingestRequests, purgeEvidence, secretForDay, secretForLogs } from './index.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';

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
      `select relname from pg_class where relname ~ '^download_.*_2026_' and relkind = 'r'`,
    )
  ).rows.map(({ relname }) => relname);

// COUNT-13
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

describe('what a log of old days brings', () => {
  const at = new Date(0);
  const today = () => utcDayOf(test.clock.now());

  // COUNT-14
  it('evidence of old days is deleted with the secret of its log, though others are read', async () => {
    const show = await makeShow(test.ctx);
    const first = { begunOn: today(), secret: await secretForLogs(test.ctx, today()) };
    await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at, logBegunOn: first.begunOn }));
    test.clock.advance(2 * dayMs);
    await secretForLogs(test.ctx, today());
    const listener = 'b'.repeat(32);
    const second = makeAudioRequest(test.ctx, show, { at, listener, logBegunOn: today() });
    await ingest(test.ctx, second);
    await purgeEvidence(test.ctx);
    expect(await count('download_listeners_old')).toBe(2);
    expect(await secretForLogs(test.ctx, first.begunOn)).toEqual(first.secret);
    test.clock.advance(dayMs);
    await purgeEvidence(test.ctx);
    const { rows } = await test.database.pool.query(
      `select encode(listener, 'hex') as listener from download_listeners_old`,
    );
    expect(rows).toEqual([{ listener }]);
    // Dropped tables leave no bytes on the disk, as deleted rows would.
    const suffix = first.begunOn.replaceAll('-', '_');
    expect((await tables()).filter((name) => name.endsWith(suffix))).toEqual([]);
    test.clock.advance(2 * dayMs);
    await purgeEvidence(test.ctx);
    expect(await count('download_listeners_old')).toBe(0);
    expect((await tables()).filter((name) => /_(log|old)_\d/.test(name))).toEqual([]);
  });

  it('a log of old days leaves no evidence, because nobody can request it', async () => {
    const show = await makeShow(test.ctx);
    const before = await count('download_requests');
    const old = makeAudioRequest(test.ctx, show, { at, logBegunOn: today() });
    const present = makeAudioRequest(test.ctx, show, { at: test.clock.now() });
    expect(await ingest(test.ctx, old, present)).toMatchObject({ requests: 2, counted: 2 });
    expect(await count('download_requests')).toBe(before + 1);
  });

  it('evidence of old days counts once, and changes no row of another log in the same place', async () => {
    const show = await makeShow(test.ctx);
    const begun = [addDays(today(), -1), addDays(today(), -2)];
    const part = (log: number, half: number) =>
      makeAudioRequest(test.ctx, show, {
        at: new Date(dayMs),
        listener: `${log}`.repeat(32),
        logBegunOn: begun[log] ?? '',
        neededBytes: 100,
        audio: [{ start: half * 50, end: half * 50 + 49 }],
      });
    for (const log of [0, 1]) await ingest(test.ctx, part(log, 0));
    const places = `select ctid::text from download_listeners where podcast_id = $1`;
    const { rows } = await test.database.pool.query(places, [show.podcastId]);
    expect(rows[0]).toEqual(rows[1]);
    const batch = { id: newId(), requests: [part(0, 1)] };
    expect(await ingestRequests(test.ctx, batch)).toMatchObject({ newBatches: 1, counted: 1 });
    expect(await ingestRequests(test.ctx, batch)).toMatchObject({ newBatches: 0, counted: 0 });
    expect(await ingest(test.ctx, part(1, 1))).toMatchObject({ counted: 1 });
    const kept = await test.database.pool.query(
      `select log_begun_on as log, counted from download_listeners where podcast_id = $1 order by 1 desc`,
      [show.podcastId],
    );
    expect(kept.rows).toEqual(begun.map((log) => ({ log, counted: true })));
  });
});

it('old listeners whose secret is gone already go at once, though a log is read', async () => {
  await secretForLogs(test.ctx, utcDayOf(test.clock.now()));
  const show = await makeShow(test.ctx);
  await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: new Date(0) }));
  const bytes = async () =>
    (
      await test.database.pool.query(
        `select pg_relation_size('download_listeners_old_other')::int as n`,
      )
    ).rows[0].n;
  expect(await bytes()).toBeGreaterThan(0);
  await purgeEvidence(test.ctx);
  // An emptied table leaves no bytes on the disk.
  expect(await bytes()).toBe(0);
});

it('rows of old days keep no other day from a table of its own', async () => {
  const show = await makeShow(test.ctx);
  // No purge has made this day's tables ahead.
  test.clock.advance(5 * dayMs);
  const present = makeAudioRequest(test.ctx, show, { at: test.clock.now() });
  await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: new Date(0) }));
  await ingest(test.ctx, present);
  await purgeEvidence(test.ctx);
  expect(await count('download_requests')).toBe(1);
  expect(await count('download_listeners')).toBe(1);
  expect(await ingest(test.ctx, present)).toMatchObject({ newBatches: 1, counted: 0 });
});

it('many processes that ask at once get one secret', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 8 }, () => secretForDay(test.ctx, utcDayOf(test.clock.now()))),
  );
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
});

it('a log that nobody follows any more does not hold back what is complete', async () => {
  const query = (text: string) => test.database.pool.query(text);
  test.clock.advance(10 * dayMs);
  const now = test.clock.now().getTime();
  await query(`insert into followed_logs (name, holder, held_until) values
    ('gone:/a.log', null, now()),
    ('killed:/a.log', gen_random_uuid(), now() - interval '1 second'),
    ('recent:/a.log', null, now()),
    ('unreadable:/a.log', gen_random_uuid(), now() + interval '1 hour')`);
  const until = (days: number) => new Date(now - days * dayMs).toISOString();
  await query(`insert into download_writers (id, complete_until) values
    ('log:gone:/a.log', '${until(4)}'), ('log:killed:/a.log', '${until(4)}'),
    ('log:recent:/a.log', '${until(1)}'), ('log:unreadable:/a.log', '${until(4)}')`);
  await purgeEvidence(test.ctx);
  const { rows } = await query(`select id from download_writers where id like 'log:%' order by id`);
  expect(rows.map(({ id }) => id)).toEqual(['log:recent:/a.log', 'log:unreadable:/a.log']);
});

it.skipIf(!onServer)('counting does not wait for a backup that reads a closed day', async () => {
  const show = await makeShow(test.ctx);
  await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: test.clock.now() }));
  const closed = `download_requests_${utcDayOf(test.clock.now()).replaceAll('-', '_')}`;
  expect(await tables()).toContain(closed);
  test.clock.advance(3 * dayMs);
  const backup = await test.database.pool.connect();
  try {
    await backup.query('begin');
    await backup.query(`select from ${closed}`);
    await expect(purgeEvidence(test.ctx)).rejects.toThrow('lock timeout');
    await backup.query('rollback');
  } finally {
    backup.release();
  }
  await purgeEvidence(test.ctx);
  expect(await tables()).not.toContain(closed);
});
