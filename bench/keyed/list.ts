import assert from 'node:assert/strict';
import type { App } from '../../server/src/app.ts';
import { createKey } from '../../server/src/domain/keys/index.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { captureQueries } from '../installation/capture-queries.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { chooseLoadTool, connections, type LoadTool, secondsPerRun, type Target } from '../load.ts';
import { median } from '../median.ts';
import { takeAnswer } from '../take-answer.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { BareInput, BareStatement } from './bare-server.ts';
import { readList } from './read-list.ts';

const episodes = 1_000;
const pageSize = 20;
/** By then all that is often used is compiled; before, a server pays for that with each request. */
const warmUpRequests = 40_000;
const rounds = 8;

export const listPart: Part = {
  name: 'list',
  about: `a list of ${pageSize} episodes, against the same statements without the rest`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: there is nothing to measure against');
      return [];
    }
    const tool = await chooseLoadTool();
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    const { path, secret, bare } = await fill(place, run.signal);
    const ours = await start(
      new URL('../installation/serve-podstead.ts', import.meta.url),
      place,
      run,
    );
    await using _ours = ours.child;
    const theirs = await start(new URL('./bare-server.ts', import.meta.url), bare, run);
    await using _theirs = theirs.child;
    const target = { url: ours.url + path, headers: { Authorization: `Bearer ${secret}` } };
    const sides = { podstead: { child: ours.child, target }, bare: theirs.child };
    const figures = await compare(run, tool, sides, { url: theirs.url, headers: {} });
    const title = `A keyed list of ${pageSize} episodes (${tool.name}, ${connections} connections, ${rounds} rounds of ${secondsPerRun} s)`;
    return [{ title, figures }];
  },
};

interface Filled {
  readonly path: string;
  readonly secret: string;
  readonly bare: BareInput;
}

async function fill(place: Place & { databaseUrl: string }, signal: AbortSignal): Promise<Filled> {
  await using app = await openInstallation(place);
  const size = { slug: 'night-signals', episodes, notesChars: 2_000, distinctNotes: 60 };
  const { id: podcastId, ownerId } = await fillShow(app, size, signal);
  await vacuum(app.ctx.db);
  const { secret } = await createKey(app.ctx, {
    userId: ownerId,
    name: 'Bench',
    scopes: ['episodes:read'],
    podcasts: 'all',
    expiresInDays: 30,
  });
  const queries = await captureQueries(app, (ctx) =>
    readList(ctx, secret, { podcastId, limit: pageSize }),
  );
  const statements = queries.map(({ sql, parameters }) => ({
    text: sql,
    values: parameters.map(toText),
  }));
  assert.equal(statements.length, 2);
  return {
    path: `/v1/me/podcasts/${podcastId}/episodes`,
    secret,
    bare: { databaseUrl: place.databaseUrl, poolSize: poolSizeOf(app), statements },
  };
}

function toText(value: unknown): BareStatement['values'][number] {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter of another kind: ${typeof value}`);
}

function poolSizeOf({ config }: App): number {
  assert(config.database.kind === 'server');
  return config.database.poolSize;
}

async function start(
  script: URL,
  input: object,
  { signal }: Run,
): Promise<{ child: Child; url: string }> {
  const { child, ready: url } = await Child.start<string>(script, input, signal);
  return { child, url };
}

interface Sides {
  readonly podstead: { readonly child: Child; readonly target: Target };
  readonly bare: Child;
}

async function compare(
  { signal }: Run,
  tool: LoadTool,
  { podstead, bare }: Sides,
  bareTarget: Target,
): Promise<Figure[]> {
  await assertSameList(podstead.target, bareTarget, signal);
  // Before the load, which leaves requests under way when it ends.
  const roundTrips = await countStatements(podstead, signal);
  const ways = {
    podstead: () => measure(tool, podstead.child, podstead.target, signal),
    http: () => measure(tool, bare, bareTarget, signal),
    driver: () => drive(bare),
  };
  const rates = { podstead: [] as Rates[], http: [] as Rates[], driver: [] as Rates[] };
  const names = Object.keys(ways) as (keyof typeof ways)[];
  for (const name of ['podstead', 'http'] as const) {
    for (let asked = 0; asked < warmUpRequests; ) asked += (await ways[name]()).requests;
  }
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    // Each round in another order, so that what drifts meanwhile is nobody's.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      rates[name].push(await ways[name]());
    }
  }
  return [...describe(rates), roundTrips];
}

/** Both send the same episodes. */
async function assertSameList(ours: Target, theirs: Target, signal: AbortSignal): Promise<void> {
  const [ids, bareIds] = await Promise.all(
    [ours, theirs].map(async (target) => {
      const { status, body } = await takeAnswer(target, signal);
      assert.equal(status, 200);
      const { data } = JSON.parse(Buffer.from(body, 'base64').toString()) as {
        data: { id: string }[];
      };
      return data.map(({ id }) => id);
    }),
  );
  assert.equal(ids?.length, pageSize);
  assert.deepEqual(bareIds?.slice(0, pageSize), ids);
}

interface Rates {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the server's whole process, all its threads. */
  readonly cpuMicros: number;
}

async function measure(
  tool: LoadTool,
  child: Child,
  target: Target,
  signal: AbortSignal,
): Promise<Rates> {
  const before = await child.ask<number>('cpuMicros');
  const { requests, seconds } = await tool.put(target, signal);
  const after = await child.ask<number>('cpuMicros');
  return { requests, perSecond: requests / seconds, cpuMicros: (after - before) / requests };
}

async function drive(bare: Child): Promise<Rates> {
  const before = await bare.ask<number>('cpuMicros');
  const runs = await bare.ask<number>('drive', { connections, seconds: secondsPerRun });
  const after = await bare.ask<number>('cpuMicros');
  return { requests: runs, perSecond: runs / secondsPerRun, cpuMicros: (after - before) / runs };
}

function describe(
  rates: Readonly<Record<'podstead' | 'http' | 'driver', readonly Rates[]>>,
): Figure[] {
  const { podstead, http, driver } = rates;
  const against = (others: readonly Rates[], of: (ours: Rates, other: Rates) => number) =>
    median(podstead.map((ours, at) => of(ours, others[at] ?? ours)));
  const perSecond = (of: readonly Rates[]) =>
    Math.round(median(of.map((rate) => rate.perSecond))).toLocaleString('en');
  const cpu = (of: readonly Rates[]) => median(of.map(({ cpuMicros }) => cpuMicros)).toFixed(0);
  return [
    {
      name: 'requests per second, bare node:http with the same statements = 1',
      value: against(http, (ours, other) => ours.perSecond / other.perSecond),
      unit: 'ratio',
      aim: { atLeast: 0.6 },
      note: `${perSecond(podstead)}, bare ${perSecond(http)}`,
    },
    {
      name: 'per second of server CPU, the same',
      value: against(http, (ours, other) => other.cpuMicros / ours.cpuMicros),
      unit: 'ratio',
      note: `${cpu(podstead)} µs a request, bare ${cpu(http)} µs`,
    },
    {
      name: 'requests per second, the bare driver without HTTP = 1',
      value: against(driver, (ours, other) => ours.perSecond / other.perSecond),
      unit: 'ratio',
      note: `driver ${perSecond(driver)}, ${cpu(driver)} µs`,
    },
  ];
}

async function countStatements(
  { child, target }: Sides['podstead'],
  signal: AbortSignal,
): Promise<Figure> {
  const asked = 10;
  const before = await child.ask<number>('statements');
  for (let at = 0; at < asked; at += 1) await takeAnswer(target, signal);
  const after = await child.ask<number>('statements');
  return {
    name: 'round trips to the database, of one request',
    value: (after - before) / asked,
    unit: 'ratio',
    aim: { atMost: 2 },
  };
}
