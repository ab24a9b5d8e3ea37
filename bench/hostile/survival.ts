import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../server/src/app.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { readSums } from '../downloads/read-sums.sql.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { inMegabytes } from '../memory/databases.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { Listened } from './listen.ts';
import type { Polled } from './poll.ts';
import type { Published } from './publish.ts';
import type { Read } from './read.ts';
import { setShareOfService } from './set-priority.ts';
import { type Counted, sayCounts, sumUp } from './tally.ts';
import type { Uploaded } from './upload.ts';
import { folderBytes, isRunning, type Peaks, watchProcesses } from './watch-processes.ts';
import type { Turns } from './watch-turns.ts';
import { makeWorld, type World } from './world.ts';

const seconds = Number(process.env['HOSTILE_SECONDS'] ?? 300);
const seed = Number(process.env['HOSTILE_SEED'] ?? Date.now() % 1_000_000);
/** `0`: the server trusts no proxy, so all attackers have one address, whatever they say. */
const isDirect = process.env['HOSTILE_PROXY'] === '0';
const floods = 2;
const countedWithinMs = 120_000;
const reportMs = 60_000;
/** Tests of the private API use this address, too. */
const origin = 'http://test.local';
/** Without a proxy, the reader has the same address as the floods. */
const readAims = isDirect ? {} : { p99: { atMost: 1_000 } };
const none = { atMost: 0 };
const all = { atLeast: 1 };

export const survivalPart: Part = {
  name: 'survival',
  about: `all attacks at once for HOSTILE_SECONDS (${seconds}), with HOSTILE_SEED, behind a proxy or not (HOSTILE_PROXY=0)`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server, which this process could share with the server');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    await using app = await openInstallation(place);
    const world = await makeWorld(app, folder.path, Math.ceil(seconds / 60));
    const before = await measureDisk(app, folder.path);
    const settings = {
      ...{ BASE_URL: origin, PUBLIC_RATE_LIMIT: '600', LOG_LEVEL: 'error' },
      ...(isDirect ? {} : { TRUST_PROXY: '1' }),
      ...watchTurnsOf(folder.path),
    };
    await using server = await startServe({
      ...{ ...place, settings, ownSession: true, signal: run.signal },
    });
    const seen = await attack(server, world, run);
    const counted = await compareCounts(app, world, seen.listened.downloads);
    const grown = (await measureDisk(app, folder.path)) - before;
    const turns = await readTurns(folder.path);
    return describe({ ...seen, turns, isRunning: isRunning(server.pid), counted, grown });
  },
};

const turnsFile = (folder: string) => join(folder, 'turns.json');

function watchTurnsOf(folder: string): Readonly<Record<string, string>> {
  const script = new URL('watch-turns.ts', import.meta.url);
  return { NODE_OPTIONS: `--import ${script}`, BENCH_TURNS: turnsFile(folder) };
}

async function readTurns(folder: string): Promise<Turns> {
  return JSON.parse(await readFile(turnsFile(folder), 'utf8')) as Turns;
}

interface Seen {
  readonly polled: Polled;
  readonly published: Published;
  readonly read: Read;
  readonly listened: Listened;
  readonly uploaded: Uploaded;
  readonly flooded: Counted;
  readonly vanished: Counted;
  readonly peaks: Peaks;
}

async function attack(server: RunningServer, world: World, run: Run): Promise<Seen> {
  const { quiet, flooded, noisy, punctual, hostile } = world;
  await using children = new AsyncDisposableStack();
  const start = async (script: URL, input: object) => {
    const all = { url: server.url, origin, ...input };
    // Each takes only its own share of the processors.
    return children.use((await Child.start(script, all, run.signal, { ownSession: true })).child);
  };
  setShareOfService(server.pid);
  process.kill(server.pid, 'SIGUSR2');
  run.say('  making hostile files');
  const uploads = await start(new URL('upload.ts', import.meta.url), { seed, shows: hostile });
  const attackers = [await start(new URL('vanish.ts', import.meta.url), { seed, noisy })];
  for (let at = 0; at < floods; at += 1) {
    attackers.push(
      await start(new URL('flood.ts', import.meta.url), { seed: seed + at, noisy, flooded }),
    );
  }
  attackers.push(await start(new URL('reload.ts', import.meta.url), { flooded }));
  const reader = await start(new URL('read.ts', import.meta.url), { flooded });
  const listeners = await start(new URL('listen.ts', import.meta.url), {
    ...{ shows: [quiet, flooded], isDirect },
  });
  const publisher = await start(new URL('publish.ts', import.meta.url), { show: punctual });
  const poller = await start(new URL('poll.ts', import.meta.url), {});
  using watch = watchProcesses(server.pid);
  const until = Date.now() + seconds * 1_000;
  while (Date.now() < until && isRunning(server.pid)) {
    await sleep(Math.min(reportMs, until - Date.now()), undefined, { signal: run.signal });
    run.say(`  ${Math.max(0, Math.round((until - Date.now()) / 1_000))} s left`);
  }
  // The honest clients end first, so that all that they see is under attack.
  const polled = await poller.ask<Polled>('end');
  const published = await publisher.ask<Published>('end');
  const read = await reader.ask<Read>('end');
  const listened = await listeners.ask<Listened>('end');
  const [vanished, ...counts] = await Promise.all(attackers.map((one) => one.ask<Counted>('end')));
  const uploaded = await uploads.ask<Uploaded>('end');
  return {
    ...{ polled, published, read, listened, uploaded, peaks: watch.peaks },
    flooded: sumUp(counts),
    vanished: vanished ?? sumUp([]),
  };
}

interface CountedShow {
  readonly name: string;
  readonly expected: number;
  readonly downloads: number;
  readonly listeners: number;
}

/** Waits until all downloads are counted. */
async function compareCounts(
  { ctx }: App,
  { quiet, flooded }: World,
  expected: readonly number[],
): Promise<readonly CountedShow[]> {
  const counted: CountedShow[] = [];
  for (const [at, { id, slug }] of [quiet, flooded].entries()) {
    const made = expected[at] ?? 0;
    const from = performance.now();
    let sums = await readSums(ctx.db, id);
    while (sums.downloads < made && performance.now() - from < countedWithinMs) {
      await sleep(500);
      sums = await readSums(ctx.db, id);
    }
    counted.push({ name: slug, expected: made, ...sums });
  }
  return counted;
}

async function measureDisk(app: App, folder: string): Promise<number> {
  const size = 'select pg_database_size(current_database()) as bytes';
  const { rows } = await app.database.pool.query<{ bytes: string }>(size);
  return (await folderBytes(folder)) + Number(rows[0]?.bytes ?? 0);
}

function describe(
  seen: Seen & {
    readonly turns: Turns;
    readonly isRunning: boolean;
    readonly counted: readonly CountedShow[];
    readonly grown: number;
  },
): Group[] {
  const { polled, published, read, listened, uploaded, flooded, vanished, peaks, counted } = seen;
  const responses = sumUp([flooded, uploaded.responses]);
  const failures = Object.entries(responses.counts)
    .filter(([name]) => /^5/.test(name) && !['501', '503', '507'].includes(name))
    .reduce((sum, [, count]) => sum + count, 0);
  const count = (name: string, value: number, aim?: Figure['aim']): Figure => ({
    ...{ name, value, unit: 'ratio', ...(aim && { aim }) },
  });
  const megabytes = (name: string, bytes: number, note?: string): Figure => ({
    ...{ name, value: inMegabytes(bytes), unit: 'MB', ...(note !== undefined && { note }) },
  });
  const figures: Figure[] = [
    count('servers that ended', seen.isRunning ? 0 : 1, none),
    ...describeTimes('/healthz', polled.kept, { p99: { atMost: 100 }, longest: { atMost: 300 } }),
    ...describeTimes('/healthz, new connections', polled.fresh, {}),
    ...describeTimes('the poller itself woke late', polled.lateMs, {}),
    {
      ...{ name: "longest turn of the server's main thread", unit: 'ms', aim: { atMost: 100 } },
      ...{ value: seen.turns.longestMs, note: 'in CPU time, which other processes do not disturb' },
    },
    ...describeTimes('page of the flooded show', read.pages, readAims),
    ...describeTimes('search of the flooded show', read.searches, readAims),
    count('reads of the flooded show without 200', read.failures.length, none),
    count('polls without 200', polled.failures.length, none),
    count('responses of 500 and more', failures, none),
    count('requests without a response', flooded.remarks.length, none),
    ...counted.map(
      ({ name, expected, downloads, listeners }): Figure => ({
        ...count(
          `downloads of the ${name} show exact (1: yes)`,
          downloads === expected && listeners === expected ? 1 : 0,
          all,
        ),
        note: `${downloads} of ${expected}, ${listeners} listeners`,
      }),
    ),
    count('publications', published.delaysMs.length),
    {
      ...{ name: 'longest delay of a publication', unit: 'ms', aim: { atMost: 1_000 } },
      value: Math.max(Number.NEGATIVE_INFINITY, ...published.delaysMs),
      note: published.delaysMs.join(', '),
    },
    count('publications that failed or were early', lateOrEarly(published), none),
    megabytes('peak of the server', peaks.server),
    megabytes('peak of its child processes', peaks.children, `at most ${peaks.processes} at once`),
    megabytes('growth of the disk', seen.grown),
  ];
  const remarks = [
    `Anonymous requests: ${sayCounts(flooded)}`,
    `Vanishing clients: ${sayCounts(vanished)}`,
    `Responses to uploads: ${sayCounts(uploaded.responses)}`,
    `Uploads: ${sayCounts(uploaded.kinds)}`,
    `Longest turns: ${sayTimes(seen.turns.worst)}`,
    `Slowest polls: ${sayTimes(polled.slowest)}`,
    `Honest listeners: ${listened.listeners}, requests repeated: ${listened.repeated}`,
    ...[
      ...responses.remarks,
      ...published.failures,
      ...polled.failures.slice(0, 10),
      ...read.failures.slice(0, 10),
    ],
  ];
  return [{ title: `All attacks at once for ${seconds} s, seed ${seed}`, figures, remarks }];
}

const sayTimes = (times: readonly (readonly [string, number])[]) =>
  times.map(([at, ms]) => `${at} ${Math.round(ms)} ms`).join(', ');

function lateOrEarly({ delaysMs, failures }: Published): number {
  return failures.length + delaysMs.filter((ms) => ms < 0).length;
}

function describeTimes(
  name: string,
  times: readonly number[],
  aims: { readonly p99?: Figure['aim']; readonly longest?: Figure['aim'] },
): Figure[] {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  const figure = (what: string, share: number, aim?: Figure['aim']): Figure => ({
    ...{ name: `${name}: ${what}`, value: at(share), unit: 'ms', ...(aim && { aim }) },
  });
  return [
    { ...figure('median', 0.5), note: `${times.length} times` },
    figure('99 of 100 within', 0.99, aims.p99),
    figure('longest', 1, aims.longest),
  ];
}
