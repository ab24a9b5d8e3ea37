import assert from 'node:assert/strict';
import type { App } from '../../server/src/app.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import type { Figure, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { captureQueries } from '../installation/capture-queries.ts';
import type { Place } from '../installation/open-installation.ts';
import { chooseLoadTool, connections, type LoadTool, secondsPerRun, type Target } from '../load.ts';
import { median } from '../median.ts';
import { takeResponse } from '../take-response.ts';
import type { BareInput, BareStatement } from './bare-keyed-server.ts';

/** After this many requests, V8 has compiled all frequent code. */
const warmUpRequests = 40_000;
const rounds = 8;

/** A keyed request, and the statements that the bare server runs for it. */
export interface MeasuredRequest {
  readonly path: string;
  readonly secret: string;
  readonly bare: BareInput;
}

/** The two statements of a request, for the bare server. */
export async function captureBare(
  app: App,
  databaseUrl: string,
  work: (ctx: Context) => Promise<unknown>,
): Promise<BareInput> {
  const queries = await captureQueries(app, work);
  const statements = queries.map(({ sql, parameters }) => ({
    text: sql,
    values: parameters.map(toText),
  }));
  assert.equal(statements.length, 2);
  return { databaseUrl, poolSize: poolSizeOf(app), statements };
}

/**
 * Measures a request against bare node:http with the same statements. `expectSame` throws unless
 * both send the same.
 */
export async function measureAgainstBare(
  run: Run,
  place: Place,
  { path, secret, bare }: MeasuredRequest,
  expectSame: (ours: Target, theirs: Target) => Promise<void>,
): Promise<{ readonly how: string; readonly figures: Figure[] }> {
  const tool = await chooseLoadTool();
  const script = new URL('../installation/serve-podstead.ts', import.meta.url);
  const ours = await start(script, place, run);
  await using _ours = ours.child;
  const theirs = await start(new URL('./bare-keyed-server.ts', import.meta.url), bare, run);
  await using _theirs = theirs.child;
  const target = { url: ours.url + path, headers: { Authorization: `Bearer ${secret}` } };
  await expectSame(target, { url: theirs.url, headers: {} });
  const sides = { podstead: { child: ours.child, target }, bare: theirs.child };
  const figures = await compare(run, tool, sides, { url: theirs.url, headers: {} });
  const how = `${tool.name}, ${connections} connections, ${rounds} rounds of ${secondsPerRun} s`;
  return { how, figures };
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
  // Before the load, because some requests still run after its end.
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
    // The order changes with every round, so that slow changes of the machine affect all equally.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      rates[name].push(await ways[name]());
    }
  }
  return [...describe(rates), roundTrips];
}

interface Rates {
  readonly requests: number;
  readonly perSecond: number;
  /** CPU time of the server's process with all threads. */
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
  for (let at = 0; at < asked; at += 1) await takeResponse(target, signal);
  const after = await child.ask<number>('statements');
  return {
    name: 'round trips to the database, of one request',
    value: (after - before) / asked,
    unit: 'ratio',
    aim: { atMost: 2 },
  };
}
