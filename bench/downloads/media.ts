import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { chooseLoadTool, connections, type LoadTool, secondsPerRun, type Target } from '../load.ts';
import { makeAudio } from '../make-audio.ts';
import { median } from '../median.ts';
import { startServe } from '../memory/running-server.ts';
import { takeAnswer } from '../take-answer.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { BareAnswer, BareServer } from './bare-server.ts';
import { hasNginx, type Nginx, startNginx } from './nginx.ts';

/** 32 kbit/s: 8 MB. */
const toneSeconds = 2_000;
const warmUpRuns = 2;
const pairs = 8;

/** One server in a comparison. Its CPU time is that of the processes `pids`. */
interface Side {
  readonly url: string;
  readonly pids: readonly number[];
}

export const mediaPart: Part = {
  name: 'media',
  about: 'audio from Podstead against one nginx worker that sends the same file',
  async measure(run) {
    const title = `Audio of 8 MB: one nginx worker = 1 (${connections} connections, ${pairs} pairs of ${secondsPerRun} s)`;
    if (!(await hasNginx())) return [{ title, figures: [], remarks: ['nginx is not installed'] }];
    await using folder = await makeTempFolder();
    const { path, blobKey } = await fill(folder.path);
    const blobs = join(folder.path, 'blobs');
    await using nginx = await startNginx(`location / { root ${blobs}; }`, run.signal);
    const theirs = { url: `${nginx.url}/${blobKey}`, pids: [nginx.pid] };
    const place = { dataDir: folder.path, signal: run.signal };
    const figures: Figure[] = [];
    {
      await using server = await startServe(place);
      const ours = { url: server.url + path, pids: [server.pid] };
      figures.push(...(await compareBoth(run, 'Podstead', 0.7, ours, theirs)));
    }
    const settings = { X_ACCEL_REDIRECT: '/stored/' };
    await using server = await startServe({ ...place, settings });
    await using front = await startFront(server.url, blobs, run.signal);
    const ours = { url: front.url + path, pids: [front.pid, server.pid] };
    figures.push(...(await compareBoth(run, 'X-Accel-Redirect', 0.95, ours, theirs)));
    const remarks = [
      await measureLimit(run, theirs, {
        does: 'sends the same range',
        answer: { ...range, file: join(blobs, blobKey) },
      }),
      await measureLimit(run, theirs, {
        does: 'only answers with X-Accel-Redirect',
        answer: { accelRedirect: `/stored/${blobKey}` },
        front: (url) => startFront(url, blobs, run.signal),
      }),
    ];
    return [{ title, figures, remarks }] satisfies Group[];
  },
};

async function fill(dataDir: string): Promise<{ path: string; blobKey: string }> {
  await using app = await openInstallation({ dataDir });
  const path = await makeAudio(app, toneSeconds);
  const { rows } = await app.database.pool.query('select blob_key from audio_files');
  return { path, blobKey: rows[0].blob_key };
}

/** nginx in front of `server`, configured as in README.md. */
function startFront(url: string, blobs: string, signal: AbortSignal): Promise<Nginx> {
  const locations = `
    location / {
      proxy_pass http://podstead;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
    location /stored/ { internal; alias ${blobs}/; }`;
  const upstream = `upstream podstead { server ${new URL(url).host}; keepalive 32; }`;
  return startNginx(locations, signal, upstream);
}

const range = { start: 1_048_576, end: 1_114_111 };
const rangeHeaders = { Range: `bytes=${range.start}-${range.end}` };

const scenarios = [
  { name: 'whole', headers: {}, status: 200 },
  { name: '64 KB ranges', headers: rangeHeaders, status: 206 },
] as const;

async function compareBoth(run: Run, name: string, atLeast: number, ours: Side, theirs: Side) {
  const tool = await chooseLoadTool();
  const figures: Figure[] = [];
  for (const scenario of scenarios) {
    run.say(`  ${name}, ${scenario.name}`);
    const targetOf = ({ url }: Side): Target => ({ url, headers: scenario.headers });
    const bodies = [];
    for (const side of [ours, theirs]) {
      const { status, body } = await takeAnswer(targetOf(side), run.signal);
      if (status !== scenario.status) throw new Error(`${side.url} answered ${status}`);
      bodies.push(body);
    }
    if (bodies[0] !== bodies[1]) throw new Error('the two servers send different bytes');
    const put = (side: Side) => measureRun(tool, side, targetOf(side), run.signal);
    figures.push(
      ...describe(`${name}, ${scenario.name}`, atLeast, await inTurns(ours, theirs, put)),
    );
  }
  return figures;
}

interface Limit {
  /** Completes "a bare server that …". */
  readonly does: string;
  readonly answer: BareAnswer;
  /** Starts the nginx in front of it, if there is one. */
  front?(url: string): Promise<Nginx>;
}

/** A remark that says what a server on node:http reaches that does nothing else. */
async function measureLimit(run: Run, theirs: Side, { does, answer, front }: Limit) {
  run.say(`  a bare server that ${does}`);
  await using opened = new AsyncDisposableStack();
  const script = new URL('bare-server.ts', import.meta.url);
  const { child, ready } = await Child.start<BareServer>(script, answer, run.signal);
  opened.use(child);
  const nginx = await front?.(ready.url);
  if (nginx !== undefined) opened.use(nginx);
  const pids = nginx === undefined ? [ready.pid] : [nginx.pid, ready.pid];
  const ours = { url: nginx?.url ?? ready.url, pids };
  const tool = await chooseLoadTool();
  const put = (side: Side) =>
    measureRun(tool, side, { url: side.url, headers: rangeHeaders }, run.signal);
  const figures = describe('64 KB ranges', 0, await inTurns(ours, theirs, put));
  const ratios = figures.map(({ value, note }) => `${value.toFixed(2)} (${note})`);
  return `A bare node:http server that ${does}: ${ratios.join(', per processor time ')}.`;
}

interface Rates {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** Runs both sides in pairs. The order changes with every pair. */
async function inTurns(ours: Side, theirs: Side, put: (side: Side) => Promise<Rates>) {
  for (let i = 0; i < warmUpRuns; i += 1) for (const side of [ours, theirs]) await put(side);
  const runs: { ours: Rates; theirs: Rates }[] = [];
  for (let i = 0; i < pairs; i += 1) {
    const first = await put(i % 2 === 0 ? ours : theirs);
    const second = await put(i % 2 === 0 ? theirs : ours);
    runs.push(i % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return runs;
}

async function measureRun(
  tool: LoadTool,
  { pids }: Side,
  target: Target,
  signal: AbortSignal,
): Promise<Rates> {
  const before = cpuMicrosOf(pids);
  const { requests, seconds } = await tool.put(target, signal);
  return {
    perSecond: requests / seconds,
    cpuMicros: (cpuMicrosOf(pids) - before) / requests,
  };
}

/** The CPU time of whole processes with all threads. Only on Linux. */
function cpuMicrosOf(pids: readonly number[]): number {
  let nanos = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      nanos += Number(ran);
    }
  }
  return nanos / 1_000;
}

function describe(
  name: string,
  atLeast: number,
  runs: readonly { readonly ours: Rates; readonly theirs: Rates }[],
): Figure[] {
  const middle = (side: 'ours' | 'theirs', of: keyof Rates) =>
    Math.round(median(runs.map((run) => run[side][of]))).toLocaleString('en');
  return [
    {
      name: `${name}, requests per second`,
      value: median(runs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
      unit: 'ratio',
      aim: { atLeast },
      note: `${middle('ours', 'perSecond')}, nginx ${middle('theirs', 'perSecond')}`,
    },
    {
      name: `${name}, per second of processor time`,
      value: median(runs.map(({ ours, theirs }) => theirs.cpuMicros / ours.cpuMicros)),
      unit: 'ratio',
      note: `${middle('ours', 'cpuMicros')} µs a request, nginx ${middle('theirs', 'cpuMicros')} µs`,
    },
  ];
}
