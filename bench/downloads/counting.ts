import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { chooseLoadTool, type LoadTool, type Target } from '../load.ts';
import { makeAudio } from '../make-audio.ts';
import { median } from '../median.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';

/** 2 MB, so that even a busy machine sends several in each run. */
const toneSeconds = 500;
const warmUpRuns = 2;
const pairs = 8;
const aim = { atLeast: 0.98 };

const scenarios: readonly { readonly name: string; readonly headers: Target['headers'] }[] = [
  { name: 'files of 2 MB', headers: {} },
  { name: 'ranges of 64 KB', headers: { Range: 'bytes=1048576-1114111' } },
];

interface Rates {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** Both processes use one database on this machine, which also uses CPU time for the counting. */
export const countingPart: Part = {
  name: 'counting',
  about: 'audio of a process that counts downloads against one that does not',
  async measure(run) {
    const title = 'Audio with counting: without = 1';
    if (!(await postgresAvailable())) {
      return [{ title, figures: [], remarks: ['no PostgreSQL answers'] }];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    let path: string;
    {
      await using app = await openInstallation(place);
      path = await makeAudio(app, toneSeconds);
    }
    // With ACCESS_LOG set, a process counts nothing itself. No worker reads this log.
    const log = join(folder.path, 'access.log');
    await writeFile(log, '');
    const start = (settings: Readonly<Record<string, string>>) =>
      startServe({ ...place, settings: { WORKER: 'off', ...settings }, signal: run.signal });
    await using counting = await start({});
    await using silent = await start({ ACCESS_LOG: log });
    const figures: Figure[] = [];
    for (const scenario of scenarios) {
      figures.push(...(await compare(run, scenario, path, { counting, silent })));
    }
    const requests = await counting.metric('podstead_downloads_requests_total');
    const remarks = [`${requests} requests are in the sums.`];
    return [{ title, figures, remarks }];
  },
};

async function compare(
  { say, signal }: Run,
  { name, headers }: (typeof scenarios)[number],
  path: string,
  { counting, silent }: { readonly counting: RunningServer; readonly silent: RunningServer },
): Promise<Figure[]> {
  say(`  ${name}`);
  const tool = await chooseLoadTool();
  const put = (server: RunningServer) =>
    measureRun(tool, server, { url: server.url + path, headers }, signal);
  for (let i = 0; i < warmUpRuns; i += 1)
    for (const server of [counting, silent]) await put(server);
  const [throughput, processor]: [number[], number[]] = [[], []];
  let last: { readonly on: Rates; readonly off: Rates } | undefined;
  for (let i = 0; i < pairs; i += 1) {
    const first = await put(i % 2 === 0 ? counting : silent);
    const second = await put(i % 2 === 0 ? silent : counting);
    last = i % 2 === 0 ? { on: first, off: second } : { on: second, off: first };
    throughput.push(last.on.perSecond / last.off.perSecond);
    processor.push(last.off.cpuMicros / last.on.cpuMicros);
  }
  const note = (of: keyof Rates, unit: string) =>
    `${Math.round(last?.on[of] ?? 0)} against ${Math.round(last?.off[of] ?? 0)} ${unit}`;
  return [
    {
      name: `${name}: requests per second`,
      value: median(throughput),
      unit: 'ratio',
      aim,
      note: note('perSecond', 'a second'),
    },
    {
      name: `${name}: requests per second of the process's own time`,
      value: median(processor),
      unit: 'ratio',
      note: note('cpuMicros', 'µs each'),
    },
  ];
}

async function measureRun(
  tool: LoadTool,
  server: RunningServer,
  target: Target,
  signal: AbortSignal,
): Promise<Rates> {
  const cpuSeconds = () => server.metric('process_cpu_seconds_total');
  const before = await cpuSeconds();
  const { requests, seconds } = await tool.put(target, signal);
  const cpuMicros = (((await cpuSeconds()) - before) * 1_000_000) / requests;
  return { perSecond: requests / seconds, cpuMicros };
}
