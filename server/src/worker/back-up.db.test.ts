import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { findEmails } from '../../test/find-emails.ts';
import { makeEpisode, makePodcast, makeUser } from '../../test/make.ts';
import { patience } from '../../test/patience.ts';
import { openPlace } from '../../test/use-backups.ts';
import { describeParts } from '../describe-parts.ts';
import type { User } from '../domain/foundation/accounts/index.ts';
import type { Context } from '../domain/foundation/context.ts';
import { WorkerStopsError } from '../domain/foundation/job.ts';
import { attachTone } from '../domain/publishing/audio/index.ts';
import { createBackup, findLastBackup } from '../domain/service/backups/index.ts';
import { readAccountOverview } from '../domain/service/departure/index.ts';
import { readAccountNeeds } from '../domain/service/home/index.ts';
import { createMetrics } from '../http/monitoring/metrics.ts';
import { createBackUpJob, lastDueAt } from './back-up.job.ts';

let folder: string;
let test: TestContext;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-back-up-'));
  test = await createTestContext({ BACKUP_TO: join(folder, 'backups'), BACKUP_AT: '03:15' });
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const run = async () => {
  const job = createBackUpJob(test);
  if (job === undefined) expect.unreachable();
  await job.run(test.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
  return await findLastBackup(test.ctx);
};

// BACKUP-9
describe('daily backups', () => {
  it('a backup is made when its time has come, and not again before the next day', async () => {
    test.clock.set(new Date());
    const first = await run();
    expect(first?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await run()).toEqual(first);
    test.clock.set(new Date(Date.now() + 24 * 3_600_000));
    expect((await run())?.snapshot).not.toBe(first?.snapshot);
  });

  it('a place that cannot be written is logged, and the next run makes the backup', async () => {
    test.clock.set(new Date());
    await writeFile(join(folder, 'backups'), 'a file');
    const error = vi.spyOn(test.log, 'error');
    expect(await run()).toBeUndefined();
    expect(error.mock.calls[0]?.[1]).toContain('the daily backup failed');
    await rm(join(folder, 'backups'));
    expect(await run()).toBeDefined();
  });

  // BACKUP-21
  it('a place whose disk is not mounted gets no new repository, until one is begun by hand', async () => {
    const place = join(folder, 'backups');
    test.clock.set(new Date());
    const first = await run();
    const error = vi.spyOn(test.log, 'error');
    const reasons = () => error.mock.calls.map(([about]) => (about as { reason: string }).reason);
    test.clock.set(new Date(Date.now() + 24 * 3_600_000));
    await rename(place, join(folder, 'unmounted'));
    expect(await run()).toEqual(first);
    await mkdir(place);
    expect(await run()).toEqual(first);
    expect(reasons()).toEqual([
      `There is no folder ${place}.`,
      expect.stringMatching(/ has no backup, but one was made there. Is its disk mounted[?] .*`/),
    ]);
    expect(await readdir(place)).not.toContain('snapshots');
    {
      await using repository = await openPlace(place);
      await createBackup(test.ctx, repository, (tables) => test.database.openSnapshot(tables));
    }
    const byHand = await findLastBackup(test.ctx);
    expect(await run()).not.toEqual(byHand);
    expect(error).toHaveBeenCalledTimes(2);
  });

  it('another place is begun without further ado', async () => {
    test.clock.set(new Date());
    await run();
    const backups = { ...test.config.backups, target: join(folder, 'elsewhere') };
    const moved = { ...test, config: { ...test.config, backups } } as TestContext;
    const job = createBackUpJob(moved);
    test.clock.set(new Date(Date.now() + 24 * 3_600_000));
    await job?.run(test.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
    expect(await readdir(join(folder, 'elsewhere', 'snapshots'))).toHaveLength(1);
  });

  it('a prune that failed is repeated without another backup', async () => {
    await using app = await createTestContext({
      ...{ BACKUP_TO: join(folder, 'pruned'), BACKUP_KEEP: '1d', BACKUP_AT: '03:15' },
    });
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    const signal = new AbortController().signal;
    const once = () => job.run(app.ctx, {}, { signal, enqueue: async () => {} });
    const manifests = join(folder, 'pruned', 'snapshots');
    app.clock.set(new Date());
    await once();
    const [first = ''] = await readdir(manifests);
    const damaged = join(manifests, `20250101-000000000-${'0'.repeat(32)}.json`);
    await writeFile(damaged, 'not a manifest');
    const error = vi.spyOn(app.log, 'error');
    app.clock.set(new Date(Date.now() + 24 * 3_600_000));
    await once();
    expect(await readdir(manifests)).toHaveLength(3);
    const reason = expect.stringMatching(/^Nothing was removed: .* delete it[.]$/);
    expect(error.mock.calls[0]?.[0]).toEqual({ reason });
    await rm(damaged);
    await once();
    const left = await readdir(manifests);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(first);
  });

  it('a backup from the future does not end all others', async () => {
    test.clock.set(new Date());
    await run();
    await test.database.pool.query(
      "update last_backup set created_at = '2099-01-01', snapshot = 'x'",
    );
    expect((await run())?.snapshot).not.toBe('x');
  });

  it('a backup that another process is making isn’t a failure, and is awaited', async () => {
    test.clock.set(new Date());
    const error = vi.spyOn(test.log, 'error');
    {
      await using other = await openPlace(join(folder, 'backups'));
      await using _work = await other.begin('create');
      expect(await run()).toBeUndefined();
    }
    expect(error).not.toHaveBeenCalled();
    expect(await run()).toBeDefined();
  });

  it('a backup whose time is up has failed; one whose process stops has not', async () => {
    test.clock.set(new Date());
    const job = createBackUpJob(test);
    if (job === undefined) expect.unreachable();
    const error = vi.spyOn(test.log, 'error');
    const stop = (reason: Error) =>
      job.run(test.ctx, {}, { signal: AbortSignal.abort(reason), enqueue: async () => {} });
    await stop(new WorkerStopsError());
    expect(error).not.toHaveBeenCalled();
    await stop(new Error('time'));
    expect(error.mock.calls[0]?.[1]).toContain('the daily backup failed');
  });

  // BACKUP-16
  it('old backups stay while files are missing everywhere, and the operator learns of it once a day', async () => {
    const to = 'ops@example.com';
    await using app = await createTestContext({
      ...{ BACKUP_TO: join(folder, 'lacking'), BACKUP_KEEP: '1d', OPERATOR_EMAIL: to },
    });
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    const runAfter = async (days: number) => {
      app.clock.set(new Date(Date.now() + days * 24 * 3_600_000));
      const signal = new AbortController().signal;
      await job.run(app.ctx, {}, { signal, enqueue: async () => {} });
      const emails = (await findEmails(app, to)).filter(({ values }) => 'files' in values);
      const made = await readdir(join(folder, 'lacking', 'snapshots'));
      return { made: made.length, emails: emails.map(({ values }) => values) };
    };
    const { id } = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    await attachTone(app.ctx, id, 1);
    const { rows } = await app.database.pool.query('select blob_key as key from audio_files');
    const key: string = rows[0].key;
    const whole = Buffer.concat(await (await app.ctx.blobs.read(key)).toArray());
    await app.ctx.blobs.delete(key);
    const email = { count: 1, files: key };
    const nowhere = { ...email, state: { sentence: 'filesInNoBackup', values: { count: 1 } } };
    expect(await runAfter(0)).toEqual({ made: 1, emails: [nowhere] });
    expect(await runAfter(0)).toEqual({ made: 1, emails: [nowhere] });
    expect(await runAfter(1)).toEqual({ made: 2, emails: [nowhere, nowhere] });
    await app.ctx.blobs.put(key, whole, 'audio/mpeg');
    expect(await runAfter(2)).toMatchObject({ made: 1, emails: { length: 2 } });
    await app.ctx.blobs.delete(key);
    const inBackups = { ...email, state: { sentence: 'filesInBackups', values: {} } };
    const { made, emails } = await runAfter(3);
    expect(made).toBe(1);
    expect(emails).toContainEqual(inBackups);
  });

  // BACKUP-22
  it('old backups stay while a copy of the database makes backups in the same place', async () => {
    const settings = { BACKUP_TO: join(folder, 'shared'), BACKUP_KEEP: '1d' };
    // The databases of tests are copies of one.
    await using app = await createTestContext(settings);
    await using copy = await createTestContext(settings);
    const runAfter = async (by: TestContext, days: number) => {
      by.clock.set(new Date(Date.now() + days * 24 * 3_600_000));
      const signal = new AbortController().signal;
      await createBackUpJob(by)?.run(by.ctx, {}, { signal, enqueue: async () => {} });
      return (await readdir(join(folder, 'shared', 'snapshots'))).length;
    };
    expect(await runAfter(app, 0)).toBe(1);
    expect(await runAfter(copy, 0)).toBe(1);
    // From now on, each of them finds a backup that it has not made.
    expect(await runAfter(app, 1)).toBe(2);
    expect(await runAfter(copy, 1)).toBe(3);
    expect(await runAfter(app, 2)).toBe(4);
    expect(await runAfter(app, 3)).toBe(1);
  });

  it('old backups are removed even if no email about missing files can be queued', async () => {
    const place = join(folder, 'mute');
    await using app = await createTestContext({
      ...{ BACKUP_TO: place, BACKUP_KEEP: '1d', OPERATOR_EMAIL: 'ops@example.com' },
    });
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    const error = vi.spyOn(app.log, 'error');
    const runAfter = async (days: number) => {
      app.clock.set(new Date(Date.now() + days * 24 * 3_600_000));
      await job.run(app.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
      return await readdir(join(place, 'snapshots'));
    };
    const { id } = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    await attachTone(app.ctx, id, 1);
    const [first] = await runAfter(0);
    const { rows } = await app.database.pool.query('select blob_key as key from audio_files');
    await app.ctx.blobs.delete(rows[0].key);
    await app.database.pool.query(`create rule none as on insert to emails do instead
      select 1 / (select count(*) from emails)`);
    const left = await runAfter(1);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(first);
    expect(error.mock.calls.map(([, text]) => text)).toEqual([
      'the file store lacks files that backups have',
      'the email about missing files was not queued',
    ]);
  });

  it('the metrics tell the age of the last backup, and nothing without one', async () => {
    const journal = () => ({ lagSeconds: 0, journalBytes: 0, newerJournalBytes: 0, dropped: 0 });
    const downloads = { counts: test.downloadCounts, journal };
    const metrics = createMetrics({
      ...{ ctx: test.ctx, downloads, pings: test.pingCounts, webhooks: test.webhookCounts },
      notifications: test.notificationCounts,
      parts: describeParts(test),
    });
    expect(await metrics.metrics()).not.toMatch(/^podstead_backup_age_seconds/m);
    const backup = await run();
    test.clock.set(new Date((backup?.createdAt.getTime() ?? 0) + 90_000));
    expect(await metrics.metrics()).toContain('\npodstead_backup_age_seconds 90\n');
  });

  it('no setting, no job', async () => {
    await using without = await createTestContext();
    expect(createBackUpJob(without)).toBeUndefined();
  });
});

// BACKUP-15
describe('backups that fail for two days', () => {
  it('the operator learns of it, by email each week and in the dashboard, and nobody else does', async () => {
    const place = join(folder, 'full');
    const to = 'Ops@example.com';
    await using app = await createTestContext({ BACKUP_TO: place, OPERATOR_EMAIL: to });
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    // Its tables are a copy of older ones.
    await app.database.pool.query('update schema_migrations set applied_at = now()');
    const begun = Date.now();
    const runAfter = async (hours: number) => {
      app.clock.set(new Date(begun + hours * 3_600_000));
      await job.run(app.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
      return (await findEmails(app, to)).map(({ values }) => values['state']);
    };
    const seenBy = async ({ id: userId }: User) => {
      const ctx: Context = { ...app.ctx, principal: { kind: 'user', userId } };
      const needs = (await readAccountNeeds(ctx)).map(({ kind }) => kind);
      return { needs, ...(await readAccountOverview(ctx)).backup };
    };
    const [operator, other] = [await makeUser(app.ctx), await makeUser(app.ctx)];
    await app.database.pool.query("update users set email = 'ops@example.com' where id = $1", [
      operator.id,
    ]);

    await writeFile(place, 'a file');
    expect(await runAfter(47)).toEqual([]);
    expect(await seenBy(operator)).toEqual({ needs: [], madeAt: null, isOverdue: false });
    const none = { sentence: 'noBackup', values: {} };
    expect(await runAfter(49)).toEqual([none]);
    expect(await seenBy(operator)).toMatchObject({ needs: ['backup_overdue'] });
    expect(await seenBy(other)).toEqual({ needs: [] });
    expect(await runAfter(49 + 7 * 24)).toEqual([none, none]);
    expect(await runAfter(50 + 7 * 24)).toHaveLength(2);

    await rm(place);
    expect(await runAfter(0)).toHaveLength(2);
    const { madeAt, isOverdue } = await seenBy(operator);
    expect(isOverdue).toBe(false);
    await rm(place, { recursive: true });
    await writeFile(place, 'a file');
    expect(await runAfter(72)).toContainEqual({
      sentence: 'lastBackup',
      values: { at: madeAt?.toISOString() },
    });
  });
});

// BACKUP-15
describe('a first backup in time', () => {
  const openOld = async (place: string) => {
    const settings = { BACKUP_TO: join(folder, place), OPERATOR_EMAIL: 'ops@example.com' };
    const app = await createTestContext(settings);
    onTestFinished(() => app[Symbol.asyncDispose]());
    await app.database.pool.query('update schema_migrations set applied_at = now()');
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    const runAfter = async (hours: number) => {
      app.clock.set(new Date(Date.now() + hours * 3_600_000));
      await job.run(app.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
      return await findEmails(app, 'ops@example.com');
    };
    return { app, runAfter };
  };

  it('an installation that was off for days sends no email if its backup succeeds', async () => {
    const { app, runAfter } = await openOld('off');
    expect(await runAfter(49)).toEqual([]);
    expect(await findLastBackup(app.ctx)).toBeDefined();
  });

  it('others at work are awaited for an hour, and then logged and emailed', async () => {
    const { app, runAfter } = await openOld('busy');
    const warn = vi.spyOn(app.log, 'warn');
    await using other = await openPlace(join(folder, 'busy'));
    await using _work = await other.begin('create');
    expect(await runAfter(49)).toEqual([]);
    expect(await runAfter(49.9)).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    expect(await runAfter(50.1)).toHaveLength(1);
    expect(await runAfter(50.5)).toHaveLength(1);
    expect(warn.mock.calls.map(([, text]) => text)).toEqual([
      'no daily backup or prune could begin for an hour',
    ]);
  });
});

// BACKUP-15
describe('a backup that never ends', () => {
  it('no other begins beside it in this process, and the operator learns of it', async () => {
    const to = 'ops@example.com';
    await using app = await createTestContext({
      BACKUP_TO: join(folder, 'hung'),
      OPERATOR_EMAIL: to,
    });
    await app.database.pool.query('update schema_migrations set applied_at = now()');
    const opening = vi.spyOn(app.database, 'openSnapshot');
    const { promise: hung, reject: end } = Promise.withResolvers<never>();
    opening.mockReturnValue(hung);
    const job = createBackUpJob(app);
    if (job === undefined) expect.unreachable();
    const begin = () =>
      job.run(app.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
    app.clock.set(new Date());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = begin();
    await vi.waitUntil(() => opening.mock.calls.length > 0, patience);
    // Its mark has expired.
    await rm(join(folder, 'hung', 'work'), { recursive: true });
    app.clock.set(new Date(Date.now() + 49 * 3_600_000));
    await begin();
    expect(opening).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(3_600_000);
    await expect.poll(() => findEmails(app, to), patience).toHaveLength(1);
    end(new Error('the end of the test'));
    await first;
  });
});

describe('the time of daily backups', () => {
  it.each([
    ['2026-11-27T03:14:59Z', '2026-11-26T03:15:00.000Z'],
    ['2026-11-27T03:15:00Z', '2026-11-27T03:15:00.000Z'],
    ['2026-11-27T23:59:59Z', '2026-11-27T03:15:00.000Z'],
    ['2027-01-01T00:00:00Z', '2026-12-31T03:15:00.000Z'],
  ])('the last time before %s was %s', (now, due) => {
    expect(lastDueAt(new Date(now), 3 * 60 + 15).toISOString()).toBe(due);
  });
});
