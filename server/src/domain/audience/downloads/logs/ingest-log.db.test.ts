import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  countedDownloads,
  type LoggedEpisode,
  makeLoggedEpisode,
  makeLogLine,
  makeLogLines,
} from '../../../../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { newId } from '../../../../lib/uuid.ts';
import { ingestRequests, secretForDay, toAudioRequest } from '../index.ts';
import { ingestLog } from './ingest-log.ts';

let test: TestContext;
let episode: LoggedEpisode;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  episode = await makeLoggedEpisode(test.ctx);
});

const dayMs = 86_400_000;
const write = async (content: string | Buffer, name: string = newId()) => {
  const path = join(test.config.dataDir, name);
  await writeFile(path, content);
  return path;
};
const read = (path: string) => ingestLog(test.ctx, test.geo, { path });
const ingest = async (content: string | Buffer) => read(await write(content));
const line = (input: Parameters<typeof makeLogLine>[2] = {}) => makeLogLine(test, episode, input);
const counted = () => countedDownloads(test, episode);

describe('a log', () => {
  // COUNT-7
  it('a log counts what its lines say, with a reason for each that does not count', async () => {
    const half = Math.floor(episode.neededBytes / 2) + 1;
    const other = { address: '203.0.113.8', status: 206 };
    const content = [
      line(),
      line({ bytes: 5 }),
      line({ ...other, range: 'bytes=0-', bytes: half }),
      line({ ...other, range: `bytes=${half}-`, bytes: half }),
      line({ address: '203.0.113.9', bytes: half }),
      line({ method: 'HEAD', bytes: 0 }),
      line({ status: 206, range: 'bytes=0-1', bytes: 2 }),
      line({ status: 404, bytes: 100 }),
      line({ status: 304, bytes: 0 }),
      line({ address: '203.0.113.10', userAgent: 'Googlebot/2.1' }),
      line({ uri: '/feeds/show.xml' }),
      line({ uri: episode.path.replace(episode.id, newId()) }),
      'nonsense\n',
    ];
    expect(await ingest(content.join(''))).toEqual({
      ...{ lines: 13, unreadable: 1, requests: 10, counted: 2, alreadyRead: 0, alreadyCounted: 0 },
      withoutDetails: 0,
      ...{ endsEarly: false, faults: [] },
      firstUnreadable: { number: 13, trouble: 'has no known format' },
      rejected: { head: 1, probe: 1, error: 1, not_modified: 1, bot: 1 },
    });
    expect(await counted()).toBe(2);
  });

  it('a log may name the stored file instead of the episode', async () => {
    const uri = `/stored/${episode.blobKey}`;
    expect(await ingest(line({ uri }))).toMatchObject({ requests: 1, counted: 1 });
  });

  it('never unites ranges of an unknown place', async () => {
    const start = test.clock.now();
    const day = `${start.getUTCDate()}/Mar/2026:12:00:00 +0000`;
    const combined = (address: string, bytes: number) =>
      `${address} - - [${day}] "GET ${episode.path} HTTP/1.1" 206 ${bytes} "-" "AntennaPod/3.4"\n`;
    const almost = episode.neededBytes - 1;
    const content = [
      ...[combined('203.0.113.1', almost), combined('203.0.113.1', almost)],
      ...[combined('203.0.113.2', almost + 1), combined('203.0.113.2', almost + 1)],
    ];
    const expected = { requests: 4, counted: 1, rejected: { unknown_range: 2 } };
    expect(await ingest(content.join(''))).toMatchObject(expected);
  });

  it('unites with responses of this service itself', async () => {
    const { neededBytes, sizeBytes } = episode;
    const half = Math.ceil(neededBytes / 2);
    const at = test.clock.now();
    const secret = await secretForDay(test.ctx, at.toISOString().slice(0, 10));
    const direct = toAudioRequest(
      {
        ...{ at, podcastId: episode.podcastId, episodeId: episode.id, source: 'feed' },
        ...{ address: '::ffff:203.0.113.7', userAgent: 'AntennaPod/3.4', referrer: undefined },
        ...{ framingHost: undefined, method: 'GET', status: 206, isPrefetch: false },
        file: {
          ...{ hash: '0'.repeat(64), sizeBytes, durationMs: 120_000, leadingTagBytes: 0 },
          bitrateBps: (neededBytes * 8) / 60,
        },
        sent: [{ start: 0, end: half - 1 }],
      },
      secret,
      { country: null, network: null },
    );
    const { rows } = await test.database.pool.query(
      'select left(sha256, 16) as file from audio_files where episode_id = $1',
      [episode.id],
    );
    const request = { ...direct, file: rows[0].file };
    await ingestRequests(test.ctx, { id: newId(), requests: [request] });
    const rest = { status: 206, range: `bytes=${half}-`, bytes: half };
    expect(await ingest(line(rest))).toMatchObject({ counted: 1 });
  });

  // COUNT-14
  it('a log of old days counts under a secret that is deleted with the day of its reading', async () => {
    const at = new Date(test.clock.now().getTime() - 40 * dayMs);
    const half = Math.ceil(episode.neededBytes / 2);
    const range = (start: number) => ({ at, status: 206, range: `bytes=${start}-`, bytes: half });
    await ingest(line(range(0)));
    expect(await ingest(line(range(half)))).toMatchObject({ requests: 1, counted: 1 });
    const listeners = `select distinct encode(listener, 'hex') as hash from download_listeners
      where episode_id = $1`;
    await ingest(line({ at: new Date(at.getTime() + dayMs) }));
    // Nothing links the days of one client.
    expect((await test.database.pool.query(listeners, [episode.id])).rows).toHaveLength(2);
    const { rows } = await test.database.pool.query(
      `select name from download_secrets where name like 'log:%'`,
    );
    const begunOn = test.clock.now().toISOString().slice(0, 10);
    expect(rows).toEqual([{ name: `log:${begunOn}` }]);
    // Which goes with that day, and not with the days of the requests.
    const places = await test.database.pool.query(
      'select distinct tableoid::regclass::text as place from download_listeners where episode_id = $1',
      [episode.id],
    );
    expect(places.rows).toEqual([
      { place: `download_listeners_old_${begunOn.replaceAll('-', '_')}` },
    ]);
  });

  it('a log of the future counts nothing', async () => {
    const at = new Date(test.clock.now().getTime() + 3 * dayMs);
    expect(await ingest(line({ at }))).toMatchObject({ counted: 0, rejected: { future: 1 } });
  });

  // COUNT-15
  it('leaves no address in the database', async () => {
    await ingest(line({ address: '198.51.100.77' }));
    for (const table of ['download_logs', 'download_requests', 'download_listeners']) {
      const { rows } = await test.database.pool.query(`select t::text as row from ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('198.51.100.77');
      expect(JSON.stringify(rows)).not.toContain(Buffer.from('198.51.100.77').toString('hex'));
    }
  });

  it('a log without a request has only lines', async () => {
    const counts = {
      requests: 0,
      counted: 0,
      rejected: {},
      alreadyRead: 0,
      alreadyCounted: 0,
      withoutDetails: 0,
    };
    const none = { ...counts, endsEarly: false, faults: [] };
    expect(await ingest('')).toEqual({ ...none, lines: 0, unreadable: 0 });
    expect(await ingest('#Version: 1.0\n\n')).toEqual({ ...none, lines: 2, unreadable: 0 });
    await expect(ingest('#Version: 1.0\n\nhalf')).rejects.toThrow('known format');
    await expect(read(test.config.dataDir)).rejects.toThrow('is not a file, but a folder');
    await expect(read(join(test.config.dataDir, 'missing'))).rejects.toThrow('ENOENT');
  });
});

describe('a log that was read before', () => {
  const nothing = {
    requests: 0,
    counted: 0,
    rejected: {},
    unreadable: 0,
    alreadyCounted: 0,
    withoutDetails: 0,
  };
  const again = { ...nothing, endsEarly: false, faults: [] };

  it('a log that was read before counts once, renamed or compressed', async () => {
    const content = makeLogLines(test, episode, 5);
    expect(await ingest(content)).toMatchObject({ counted: 5, alreadyRead: 0 });
    expect(await ingest(content)).toEqual({ ...again, lines: 0, alreadyRead: 5 });
    expect(await ingest(gzipSync(content))).toEqual({ ...again, lines: 0, alreadyRead: 5 });
    expect(await counted()).toBe(5);
  });

  it('a log that was read before counts only the rest when it has grown', async () => {
    const path = await write(gzipSync(makeLogLines(test, episode, 3)));
    await read(path);
    const grown = makeLogLines(test, episode, 7);
    expect(await ingest(grown)).toMatchObject({ requests: 4, counted: 4, alreadyRead: 3 });
    await appendFile(path, gzipSync(makeLogLines(test, episode, 5, 4)));
    expect(await read(path)).toMatchObject({ requests: 1, counted: 1, alreadyRead: 7 });
  });

  it('a log that was read before is another log when it only begins alike', async () => {
    const first = line();
    await ingest(first + line({ address: '203.0.113.8' }));
    const other = await ingest(first + line({ address: '203.0.113.9' }));
    expect(other).toMatchObject({ requests: 2, counted: 1, alreadyRead: 0 });
    expect(await ingest(first + line({ address: '203.0.113.9' }))).toMatchObject({
      alreadyRead: 2,
    });
    expect(await counted()).toBe(3);
  });

  it('reads half a line again when it is complete', async () => {
    const [first, second] = [line(), line({ address: '203.0.113.8' })];
    const path = await write(first + second.slice(0, 100));
    expect(await read(path)).toMatchObject({
      ...{ counted: 1, lines: 2, unreadable: 1 },
      firstUnreadable: { number: 2, trouble: 'is incomplete' },
    });
    await appendFile(path, second.slice(100).trimEnd());
    expect(await read(path)).toMatchObject({ counted: 1, lines: 1, alreadyRead: 1 });
    await appendFile(path, `\n${line({ address: '203.0.113.9' })}`);
    expect(await read(path)).toMatchObject({ counted: 1, unreadable: 0, alreadyRead: 2 });
  });

  it('a log that was read before continues where reading was interrupted', async () => {
    const content = makeLogLines(test, episode, 9_000);
    const path = await write(gzipSync(content));
    const stop = new AbortController();
    const broken = ingestLog(test.ctx, test.geo, {
      path,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(broken).rejects.toThrow('aborted');
    const before = await counted();
    expect(before).toBeGreaterThan(0);
    const rest = await read(path);
    expect(rest).toMatchObject({ alreadyRead: before, lines: 9_000 - before });
    expect(await counted()).toBe(9_000);
  });

  it('a log that was read before counts once if two commands read it at once', async () => {
    const path = await write(makeLogLines(test, episode, 3_000));
    const results = await Promise.allSettled([read(path), read(path)]);
    const failures = results.filter(({ status }) => status === 'rejected');
    for (const { reason } of failures as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ name: 'LogBusyError' });
    }
    await read(path);
    expect(await counted()).toBe(3_000);
  });
});

it('refuses a damaged file, but keeps what was read of it', async () => {
  const packed = gzipSync(makeLogLines(test, episode, 5));
  expect(await ingest(packed.subarray(0, -8))).toMatchObject({ counted: 5, endsEarly: true });
  packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
  await expect(ingest(packed)).rejects.toThrow('damaged');
});
