import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type LoggedEpisode,
  makeLoggedEpisode,
  makeLogLine,
} from '../../../../test/access-logs.ts';
import { CountingProcess, type CountingTask } from '../../../../test/counting-process.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import { newId } from '../../../lib/uuid.ts';
import { openDeliveryCounter } from '../../../start-http.ts';
import { findAudio } from '../../publishing/audio/index.ts';
import type { MediaFile } from './observed-request.ts';

const blockBytes = 12_000;
const blocksOfFile = 40;
const neededBlocks = 20;
const processCount = 3;
const runs = Number(process.env['COUNTING_RUNS'] ?? 6);
/** A busy machine makes fewer of them. */
const longestMs = Math.max(15_000, runs * 5_000);
const markers = ['f', 'p', 'l', undefined] as const;
const sources = { f: 'feed', p: 'player', l: 'listen_page', '': 'direct' } as const;

/** A request for some blocks of the audio, and who sees it: one of the processes, or a log. */
const request = fc.record({
  seenBy: fc.constantFrom(0, 0, 1, 1, 2, 2, 'one log', 'other log'),
  daysAgo: fc.constantFrom(0, 0, 1),
  episode: fc.constantFrom(0, 0, 1),
  address: fc.constantFrom('203.0.113.7', '2001:db8::7'),
  userAgent: fc.constantFrom('AntennaPod/3.4', 'AntennaPod/3.4', 'Overcast/3.0', 'Googlebot/2.1'),
  marker: fc.constantFrom(...markers),
  status: fc.constantFrom(206, 206, 206, 206, 206, 206, 206, 404),
  firstBlock: fc.nat(blocksOfFile - 1),
  blocks: fc.integer({ min: 1, max: 15 }),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T & { readonly at: Date } : never;

const scenarios = fc.record({
  requests: fc.array(request, { minLength: 20, maxLength: 120 }),
  /** How many tasks are given before each kill, and which process is its victim. */
  kills: fc.array(fc.tuple(fc.nat(20), fc.nat(processCount - 1)), { minLength: 1, maxLength: 3 }),
  tasksOf: fc.integer({ min: 1, max: 8 }),
  flushes: fc.infiniteStream(fc.boolean()),
});

/** The reference: downloads as `day episode address agent`, each with the source of its first request. */
function countDownloads(requests: readonly Request[]): Map<string, string> {
  const received = new Map<string, Set<number>>();
  const first = new Map<string, Request>();
  for (const request of requests) {
    const { at, episode, address, userAgent, status, firstBlock, blocks } = request;
    if (status !== 206 || userAgent.startsWith('Googlebot')) continue;
    const name = `${utcDayOf(at)} ${episode} ${address} ${userAgent}`;
    if (at < (first.get(name)?.at ?? new Date(8.64e15))) first.set(name, request);
    for (let n = firstBlock; n < Math.min(firstBlock + blocks, blocksOfFile); n += 1)
      received.set(name, (received.get(name) ?? new Set()).add(n));
  }
  const downloads = [...received].filter(([, { size }]) => size >= neededBlocks);
  return new Map(downloads.map(([name]) => [name, sources[first.get(name)?.marker ?? '']]));
}

function figuresOf(downloads: ReadonlyMap<string, string>): unknown {
  const names = [...downloads.keys()];
  const days = Map.groupBy(names, (name) => name.slice(0, 10));
  const perDay = [...days].map(([day, all]) => {
    const listeners = new Set(all.map((name) => name.split(' ').slice(2).join(' '))).size;
    return { day, downloads: all.length, listeners };
  });
  const perSource = Map.groupBy(names, (name) => downloads.get(name));
  return {
    days: perDay.toSorted((a, b) => a.day.localeCompare(b.day)),
    sources: Object.fromEntries([...perSource].map(([source, all]) => [source, all.length])),
    episodes: ['0', '1'].map((n) => names.filter((name) => name.split(' ')[1] === n).length),
  };
}

describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('counting by several processes', () => {
  let test: TestContext;
  let env: Record<string, string>;
  let file: MediaFile;
  const processes: CountingProcess[] = [];

  beforeAll(async () => {
    test = await createTestContext();
    // The processes have the real time.
    test.clock.set(new Date());
    env = {
      DATA_DIR: test.config.dataDir,
      DATABASE_URL: test.databaseUrl ?? '',
      SECRET: 'x'.repeat(32),
      LOG_LEVEL: 'error',
    };
    processes.push(...Array.from({ length: processCount }, () => new CountingProcess(env)));
    const { id } = await makeLoggedEpisode(test.ctx);
    const { sha256, sizeBytes, durationMs, bitrateBps, leadingTagBytes } =
      (await findAudio(test.ctx, id)) ?? expect.unreachable();
    file = {
      ...{ hash: sha256 ?? '', sizeBytes: sizeBytes ?? 0, durationMs: durationMs ?? 0 },
      ...{ bitrateBps: bitrateBps ?? 0, leadingTagBytes },
    };
    expect(file).toMatchObject({ sizeBytes: blocksOfFile * blockBytes, leadingTagBytes: 0 });
    expect((file.bitrateBps * 60) / 8).toBe(neededBlocks * blockBytes);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await test[Symbol.asyncDispose]();
  });

  let tasks = 0;
  const newTask = (task: Partial<CountingTask>): CountingTask => {
    tasks += 1;
    return { id: tasks, deliveries: [], flush: false, ...task };
  };

  function bytesOf({ status, firstBlock, blocks }: Request) {
    const end = Math.min(firstBlock + blocks, blocksOfFile) * blockBytes - 1;
    return status === 206 ? [{ start: firstBlock * blockBytes, end }] : [];
  }

  function deliver(request: Request, episodes: readonly LoggedEpisode[]) {
    const { podcastId, id: episodeId } = episodes[request.episode]!;
    const { at, marker, address, userAgent, status } = request;
    return {
      ...{ at, podcastId, episodeId, source: sources[marker ?? ''], address, userAgent, status },
      ...{ method: 'GET', framingHost: undefined, referrer: undefined, isPrefetch: false },
      ...{ file, sent: bytesOf(request) },
    };
  }

  async function writeLog(requests: readonly Request[], episodes: readonly LoggedEpisode[]) {
    const lines = requests.map((request) => {
      const { at, marker, address, userAgent, status, firstBlock } = request;
      const [sent] = bytesOf(request);
      const name = marker === undefined ? 'one.mp3' : `${marker}/one.mp3`;
      return makeLogLine(test, episodes[request.episode]!, {
        ...{ at, address, userAgent, status, range: `bytes=${firstBlock * blockBytes}-` },
        uri: `/media/${episodes[request.episode]!.id}/${name}`,
        bytes: sent === undefined ? 0 : sent.end - sent.start + 1,
      });
    });
    const path = join(test.config.dataDir, newId());
    await writeFile(path, lines.join(''));
    return path;
  }

  /** Each request once, in tasks for these processes. */
  async function makeTasks(
    { tasksOf, flushes }: { readonly tasksOf: number; readonly flushes: Iterator<boolean> },
    requests: readonly Request[],
    episodes: readonly LoggedEpisode[],
  ): Promise<{ readonly index: number; readonly task: CountingTask }[]> {
    const made = [];
    for (const [seenBy, seen] of Map.groupBy(requests, (one) => one.seenBy)) {
      if (typeof seenBy === 'string') {
        const task = newTask({ log: await writeLog(seen, episodes) });
        made.push({ index: made.length % processCount, task });
        continue;
      }
      for (let n = 0; n < seen.length; n += tasksOf) {
        const deliveries = seen.slice(n, n + tasksOf).map((one) => deliver(one, episodes));
        const flush = flushes.next().value === true;
        made.push({ index: seenBy, task: newTask({ deliveries, flush }) });
      }
    }
    return made.toSorted((a, b) => (a.task.id % 7) - (b.task.id % 7));
  }

  /** A client whose response broke off asks again, and a log is read again. */
  async function killAndRepeat(index: number): Promise<void> {
    const open = await processes[index]!.kill();
    processes[index] = new CountingProcess(env);
    for (const { id: _, ...task } of open) void processes[index].give(newTask(task));
  }

  async function finish(): Promise<void> {
    // What waits at first may be repeated: its promise never resolves. Each kill starts a process.
    const isDone = () => processes.every(({ open }) => open.size === 0);
    await vi.waitUntil(isDone, { ...patience, timeout: 90_000 });
    await Promise.all(processes.map((one) => one.give(newTask({ flush: true }))));
    await using counter = openDeliveryCounter(test);
    await counter.flush();
  }

  async function readFigures([one, two]: readonly LoggedEpisode[]): Promise<unknown> {
    const query = async (text: string) =>
      (await test.database.pool.query(text, [one!.podcastId])).rows;
    const totals = await query(
      'select episode_id, downloads::int from episode_download_totals where podcast_id = $1',
    );
    const sourceRows = await query(
      `select value, sum(downloads)::int as downloads from podcast_download_dimensions
        where podcast_id = $1 and dimension = 'sources' group by value having sum(downloads) <> 0`,
    );
    return {
      days: await query(
        `select day::text, downloads::int, listeners::int from podcast_download_days
          where podcast_id = $1 and downloads <> 0 order by day`,
      ),
      sources: Object.fromEntries(sourceRows.map((row) => [row.value, row.downloads])),
      episodes: [one!, two!].map(
        ({ id }) => totals.find((row) => row.episode_id === id)?.downloads ?? 0,
      ),
    };
  }

  it(
    'gives the figures of the reference, with logs and kills in the middle',
    async () => {
      let killed = 0;
      let downloads = 0;
      const startedAtMs = performance.now();
      await fc.assert(
        fc.asyncProperty(scenarios, async ({ requests: drawn, kills, ...plan }) => {
          const isLate = performance.now() > startedAtMs + longestMs;
          // On a slow machine the first ones may have had no kill or no download yet.
          if (isLate && killed > 0 && downloads > 0) return;
          const podcast = await makePodcast(test.ctx);
          const episodes = [
            await makeLoggedEpisode(test.ctx, podcast, 'one'),
            await makeLoggedEpisode(test.ctx, podcast, 'two'),
          ];
          const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
          const requests = drawn.map((one, n) => {
            return { ...one, at: new Date(nowMs - one.daysAgo * 86_400_000 - n * 1_000) };
          });
          const order = await makeTasks(plan, requests, episodes);
          for (const [n, { index, task }] of order.entries()) {
            void processes[index]!.give(task);
            for (const [after, victim] of kills) {
              if (after % order.length !== n) continue;
              await killAndRepeat(victim);
              killed += 1;
            }
          }
          await finish();
          const reference = countDownloads(requests);
          expect(await readFigures(episodes)).toEqual(figuresOf(reference));
          downloads += reference.size;
        }),
        { numRuns: runs, endOnFailure: true },
      );
      expect(killed).toBeGreaterThan(0);
      expect(downloads).toBeGreaterThan(0);
    },
    longestMs + 120_000,
  );
});
