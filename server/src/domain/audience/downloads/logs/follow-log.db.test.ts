import { appendFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  countedDownloads,
  countRequests,
  type LoggedEpisode,
  makeLoggedEpisode,
  makeLogLines,
} from '../../../../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makePipe } from '../../../../../test/make-pipe.ts';
import { patience } from '../../../../../test/patience.ts';
import { newId } from '../../../../lib/uuid.ts';
import { DownloadCounts } from '../delivery/download-counts.ts';
import { followLog, purgeOtherLogs } from './follow-log.ts';

let test: TestContext;
let episode: LoggedEpisode;
let path: string;
let followers: AsyncDisposableStack;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  followers = new AsyncDisposableStack();
  episode = await makeLoggedEpisode(test.ctx);
  path = join(test.config.dataDir, `${newId()}.log`);
});
afterEach(() => followers.disposeAsync());

const follow = (ctx = test.ctx) => followers.use(followLog(ctx, test.geo, path, { everyMs: 20 }));
const isCounted = (count: number) =>
  vi.waitFor(async () => {
    expect(await countedDownloads(test, episode)).toBe(count);
    expect(await countRequests(test, episode)).toBe(count);
  }, patience);
const holderOf = async () => {
  const { rows } = await test.database.pool.query(
    'select holder from followed_logs where name like $1',
    [`%:${path}`],
  );
  return rows[0]?.holder ?? null;
};

// SET-6
it('follows a log, reports how far, and leaves it to the next process', async () => {
  const warn = vi.fn();
  const first = follow({ ...test.ctx, log: { ...test.ctx.log, warn, info: () => {} } });
  await vi.waitUntil(() => warn.mock.calls.length > 0, patience);
  expect(warn.mock.calls[0]?.[1]).toContain('the file does not exist yet');
  await writeFile(path, makeLogLines(test, episode, 3));
  await isCounted(3);
  await appendFile(path, makeLogLines(test, episode, 2, 4));
  await isCounted(5);
  expect(warn).toHaveBeenCalledTimes(1);
  await vi.waitFor(async () => {
    const { rows } = await test.database.pool.query(
      'select complete_until from download_writers where id like $1',
      [`log:%:${path}`],
    );
    expect(rows).toEqual([{ complete_until: test.clock.now() }]);
  }, patience);
  await first[Symbol.asyncDispose]();
  expect(await holderOf()).toBeNull();
  follow();
  await appendFile(path, makeLogLines(test, episode, 1, 6));
  await isCounted(6);
});

it('adds what it counts to the counts of its process', async () => {
  const counts = new DownloadCounts();
  await writeFile(path, makeLogLines(test, episode, 3));
  followers.use(followLog(test.ctx, test.geo, path, { everyMs: 20, counts }));
  await vi.waitFor(() => expect(counts).toMatchObject({ requests: 3, counted: 3 }), patience);
});

it('reports its lag while the log is missing', async () => {
  const counts = new DownloadCounts();
  expect(counts.logLagSeconds).toBe(0);
  const log = followers.use(followLog(test.ctx, test.geo, path, { everyMs: 20, counts }));
  await vi.waitUntil(() => counts.logLagSeconds > 0.3, patience);
  await writeFile(path, makeLogLines(test, episode, 1));
  await vi.waitUntil(() => counts.logLagSeconds < 0.2, patience);
  expect(counts.requests).toBe(1);
  await rm(path);
  await vi.waitUntil(() => counts.logLagSeconds > 0.3, patience);
  await log[Symbol.asyncDispose]();
  expect(counts.logLagSeconds).toBe(0);
});

it('waits for a file in the place of a named pipe, and ends in time', async () => {
  const warn = vi.fn();
  const ctx = { ...test.ctx, log: { ...test.ctx.log, warn, info: () => {} } };
  makePipe(path);
  const first = follow(ctx);
  await vi.waitUntil(() => warn.mock.calls.length > 0, patience);
  expect(warn.mock.calls[0]?.[1]).toContain(`${path} is not a file, but a named pipe`);
  expect(warn.mock.calls[0]?.[1]).toContain('Let the server write its log to a file');
  await first[Symbol.asyncDispose]();
  follow(ctx);
  await rm(path);
  await writeFile(path, makeLogLines(test, episode, 2));
  await isCounted(2);
  await rm(path);
  makePipe(path);
  await vi.waitUntil(() => warn.mock.calls.length > 1, patience);
  await rm(path);
  await writeFile(path, makeLogLines(test, episode, 1, 3));
  await isCounted(3);
});

it('a log is read from the time when it was to be followed, although it was rotated before', async () => {
  const warn = vi.fn();
  await writeFile(`${path}.2`, makeLogLines(test, episode, 5, 100));
  await utimes(`${path}.2`, new Date(0), new Date(0));
  // Opening it fails, as for a file that this process may not read.
  await mkdir(path);
  const first = follow({ ...test.ctx, log: { ...test.ctx.log, warn, info: () => {} } });
  await vi.waitUntil(() => warn.mock.calls.length > 0, patience);
  expect(warn.mock.calls[0]?.[1]).toContain('is not a file');
  await first[Symbol.asyncDispose]();
  await rm(path, { recursive: true });
  await writeFile(`${path}.1`, makeLogLines(test, episode, 3));
  await writeFile(path, makeLogLines(test, episode, 2, 4));
  follow();
  await isCounted(5);
});

it('a log is followed by one of several processes', async () => {
  await writeFile(path, makeLogLines(test, episode, 1));
  follow();
  await isCounted(1);
  const holder = await holderOf();
  const idle = vi.fn(test.geo.locate);
  followers.use(followLog(test.ctx, { locate: idle }, path, { everyMs: 20 }));
  for (let n = 2; n < 8; n += 1) {
    await appendFile(path, makeLogLines(test, episode, 1, n));
    await isCounted(n);
  }
  expect(idle).not.toHaveBeenCalled();
  expect(await holderOf()).toBe(holder);
});

it('takes over from a process that died, and counts nothing twice', async () => {
  await writeFile(path, makeLogLines(test, episode, 2));
  const first = follow();
  await isCounted(2);
  // The row of a killed process stays until its hold expires.
  await first[Symbol.asyncDispose]();
  await test.database.pool.query(
    `update followed_logs set holder = $2, held_until = now() + interval '1 hour'
      where name like $1`,
    [`%:${path}`, newId()],
  );
  follow();
  await appendFile(path, makeLogLines(test, episode, 2, 3));
  await test.database.pool.query(
    `update followed_logs set held_until = now() - interval '1 second' where name like $1`,
    [`%:${path}`],
  );
  await isCounted(4);
});

it('a log is no longer followed when the setting names another one', async () => {
  await writeFile(path, makeLogLines(test, episode, 1));
  const follower = follow();
  await isCounted(1);
  const rows = async () => {
    const { rows } = await test.database.pool.query(
      `select name from followed_logs where name like $1
        union all select id from download_writers where id like $1`,
      [`%:${path}`],
    );
    return rows.length;
  };
  await vi.waitFor(async () => expect(await rows()).toBe(2), patience);
  await purgeOtherLogs(test.ctx, undefined);
  expect(await rows()).toBe(2);
  await follower[Symbol.asyncDispose]();
  await purgeOtherLogs(test.ctx, path);
  expect(await rows()).toBe(2);
  await purgeOtherLogs(test.ctx, '/another.log');
  expect(await rows()).toBe(0);
});

// COUNT-20
it('warns once about a log with shortened addresses, however often it grows', async () => {
  const warn = vi.fn();
  const shortened = (first: number) =>
    makeLogLines(test, episode, 4, first).replace(/10\.0\.0\.(\d+)/g, '10.0.$1.0');
  await writeFile(path, shortened(1));
  follow({ ...test.ctx, log: { ...test.ctx.log, warn, info: () => {} } });
  await vi.waitUntil(() => warn.mock.calls.length > 0, patience);
  await appendFile(path, shortened(5));
  await isCounted(8);
  const fault = 'anonymized_addresses';
  expect(warn.mock.calls).toEqual([[{ fault }, expect.stringContaining('shortened IP addresses')]]);
});
