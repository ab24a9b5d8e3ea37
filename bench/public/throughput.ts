import assert from 'node:assert/strict';
import type { Figure, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { chooseLoadTool, connections, type LoadTool, secondsPerRun, type Target } from '../load.ts';
import { median } from '../median.ts';
import { headerOf, type TakenResponse, takeResponse } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { BareResponses } from './bare-server.ts';

const slug = 'night-signals';
/** As browsers and plugins send it. */
const headers = { 'Accept-Encoding': 'gzip, br' };
const warmUpRuns = 2;
const pairs = 10;
const aim = { atLeast: 0.95 } as const;

/** One server's side of the comparison. */
interface Side {
  readonly child: Child;
  readonly target: Target;
}

export const throughputPart: Part = {
  name: 'throughput',
  about: 'cached responses against a bare node:http server that sends the same bytes',
  async measure(run) {
    const tool = await chooseLoadTool();
    await using folder = await makeTempFolder();
    await fill(folder.path, run.signal);
    const place = { dataDir: folder.path };
    const podstead = await startServer('../installation/serve-podstead.ts', place, run.signal);
    await using _podstead = podstead.child;
    const bare = await startServer('./bare-server.ts', {}, run.signal);
    await using _bare = bare.child;
    const figures: Figure[] = [];
    for (const scenario of scenarios) {
      run.say(`  ${scenario.name}`);
      figures.push(...(await compare(run, tool, { podstead, bare }, scenario)));
    }
    const title = `Cached responses: bare node:http = 1 (${tool.name}, ${connections} connections, ${pairs} pairs of ${secondsPerRun} s)`;
    return [{ title, figures }];
  },
};

interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly conditional: boolean;
}

const scenarios: readonly Scenario[] = [
  { name: 'podcast', path: `/v1/podcasts/${slug}`, conditional: false },
  { name: 'first page', path: `/v1/podcasts/${slug}/episodes`, conditional: false },
  { name: '304', path: `/v1/podcasts/${slug}/episodes`, conditional: true },
];

async function fill(dataDir: string, signal: AbortSignal): Promise<void> {
  await using app = await openInstallation({ dataDir });
  const size = { slug, episodes: 60, notesChars: 2_000, distinctNotes: 60 };
  await fillShow(app, size, signal);
}

interface Server {
  readonly child: Child;
  readonly url: string;
}

async function startServer(script: string, input: object, signal: AbortSignal): Promise<Server> {
  const address = new URL(script, import.meta.url);
  const { child, ready: url } = await Child.start<string>(address, input, signal);
  return { child, url };
}

async function compare(
  { signal }: Run,
  tool: LoadTool,
  servers: { readonly podstead: Server; readonly bare: Server },
  scenario: Scenario,
): Promise<Figure[]> {
  const { podstead, bare } = servers;
  const etag = await teach(podstead, bare, scenario, signal);
  const asked = scenario.conditional ? { ...headers, 'If-None-Match': etag } : headers;
  const side = ({ child, url }: Server): Side => ({
    child,
    target: { url: url + scenario.path, headers: asked },
  });
  const [ours, theirs] = [side(podstead), side(bare)];
  assertSame(await takeResponse(ours.target, signal), await takeResponse(theirs.target, signal));
  for (let i = 0; i < warmUpRuns; i += 1) {
    for (const { target } of [ours, theirs]) await tool.put(target, signal);
  }
  const runs = { ours: [] as Rates[], theirs: [] as Rates[] };
  for (let i = 0; i < pairs; i += 1) {
    if (i % 2 === 0) runs.ours.push(await measureRun(tool, ours, signal));
    runs.theirs.push(await measureRun(tool, theirs, signal));
    if (i % 2 === 1) runs.ours.push(await measureRun(tool, ours, signal));
  }
  return describe(scenario.name, runs);
}

/** Gives Podstead's responses to the bare server, and the ETag for conditional requests. */
async function teach(
  podstead: Server,
  bare: Server,
  { path }: Scenario,
  signal: AbortSignal,
): Promise<string> {
  const url = podstead.url + path;
  // The first response is computed. Later ones come from the cache, which is measured.
  await takeResponse({ url, headers }, signal);
  const whole = await takeResponse({ url, headers }, signal);
  const etag = headerOf(whole, 'etag');
  assert(whole.status === 200 && etag !== undefined, `${path} responded ${whole.status}`);
  const conditional = { ...headers, 'If-None-Match': etag };
  const notModified = await takeResponse({ url, headers: conditional }, signal);
  assert.equal(notModified.status, 304);
  await bare.child.ask('respondWith', { etag, whole, notModified } satisfies BareResponses);
  return etag;
}

/** Ignores the request ids, which have the same length. */
function assertSame(ours: TakenResponse, theirs: TakenResponse): void {
  const withoutId = ({ headers, ...response }: TakenResponse) => ({
    ...response,
    headers: headers.with(headers.indexOf('X-Request-Id') + 1, ''),
  });
  assert.deepEqual(withoutId(theirs), withoutId(ours));
}

interface Rates {
  readonly requestsPerSecond: number;
  /** CPU time of the server's process with all threads. */
  readonly cpuMicrosPerRequest: number;
}

async function measureRun(tool: LoadTool, side: Side, signal: AbortSignal): Promise<Rates> {
  const before = await side.child.ask<number>('cpuMicros');
  const { requests, seconds } = await tool.put(side.target, signal);
  const after = await side.child.ask<number>('cpuMicros');
  return {
    requestsPerSecond: requests / seconds,
    cpuMicrosPerRequest: (after - before) / requests,
  };
}

/** Both ratios are relative to the bare server: 1 is the same speed. */
function describe(
  name: string,
  { ours, theirs }: { readonly ours: readonly Rates[]; readonly theirs: readonly Rates[] },
): Figure[] {
  const ratio = (of: (ours: Rates, theirs: Rates) => number) =>
    median(ours.map((rates, i) => of(rates, theirs[i] ?? rates)));
  const rate = (side: readonly Rates[]) => {
    const perSecond = median(side.map(({ requestsPerSecond }) => requestsPerSecond));
    return Math.round(perSecond).toLocaleString('en');
  };
  const cpu = (side: readonly Rates[]) =>
    median(side.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)).toFixed(1);
  return [
    {
      name: `${name}, requests per second`,
      value: ratio((a, b) => a.requestsPerSecond / b.requestsPerSecond),
      unit: 'ratio',
      aim,
      note: `${rate(ours)}, bare ${rate(theirs)}`,
    },
    {
      name: `${name}, per second of server CPU`,
      value: ratio((a, b) => b.cpuMicrosPerRequest / a.cpuMicrosPerRequest),
      unit: 'ratio',
      aim,
      note: `${cpu(ours)} µs a request, bare ${cpu(theirs)} µs`,
    },
  ];
}
