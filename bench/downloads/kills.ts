import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../server/src/app.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { createEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { createPodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { repositoryRoot } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { locateAudio } from './locate-audio.ts';
import {
  type AudioBytes,
  addressOf,
  plans,
  type RangeRequest,
  rangeOf,
  requestRange,
} from './ranges.ts';
import { readSums } from './read-sums.sql.ts';

const seconds = Number(process.env['BENCH_KILLS_SECONDS'] ?? 300);
const killEveryMs = 3_000;
/**
 * Responses that ended this shortly before a kill may not be in the journal yet, because a busy
 * disk delays writes. They are requested again.
 */
const uncertainMs = 2_000;
const episodes = 10;
const toneSeconds = 120;
const listenersAtOnce = 6;

export const killsPart: Part = {
  name: 'kills',
  about: `two serve processes and a worker for ${seconds} s, one killed every ${killEveryMs / 1_000} s`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: processes cannot share a database');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    await using app = await openInstallation(place);
    const show = await fill(app);
    await using processes = new Processes(place, run);
    await processes.start();
    const result = await listen(processes, show, run);
    const figures = await compare(app, show, result, run);
    return [{ title: `${processes.kills} kills, ${result.requests} requests`, figures }];
  },
};

interface Show extends AudioBytes {
  readonly podcastId: string;
  readonly paths: readonly string[];
}

async function fill({ ctx }: App): Promise<Show> {
  const email = 'ana@example.com';
  const owner = await createUser(ctx, { email, password: 'correct horse battery staple' });
  const podcast = await createPodcast(ctx, { slug: 'show', title: 'Show', owner });
  const ids: string[] = [];
  for (let n = 0; n < episodes; n += 1) {
    const publishedAt = new Date(Date.now() - 3_600_000);
    const input = { podcastId: podcast.id, slug: `e${n}`, title: 'One' };
    const { id } = await createEpisode(ctx, { ...input, status: 'published', publishedAt });
    await attachTone(ctx, id, toneSeconds);
    ids.push(id);
  }
  return {
    podcastId: podcast.id,
    paths: ids.map((id, n) => `/media/${id}/f/e${n}.mp3`),
    ...(await locateAudio(ctx, ids[0] ?? '')),
  };
}

/** Two servers and a worker. Each is started again after a kill. */
class Processes implements AsyncDisposable {
  readonly #place: { readonly dataDir: string; readonly databaseUrl: string };
  readonly #run: Run;
  readonly #servers: (RunningServer | undefined)[] = [undefined, undefined];
  #worker: ChildProcess | undefined;
  kills = 0;

  constructor(place: { dataDir: string; databaseUrl: string }, run: Run) {
    this.#place = place;
    this.#run = run;
  }

  async start(): Promise<void> {
    for (const index of [0, 1]) await this.#serve(index);
    this.#work();
  }

  /** A running server, and its index. */
  pick(n: number): { readonly index: number; readonly url: string } | undefined {
    const index = this.#servers[n % 2] === undefined ? (n + 1) % 2 : n % 2;
    const url = this.#servers[index]?.url;
    return url === undefined ? undefined : { index, url };
  }

  /** Kills the next process in turn, and starts it again. */
  async killOne(onKill: (server: number | undefined) => void): Promise<void> {
    const turn = this.kills % 3;
    this.kills += 1;
    if (turn === 2) {
      this.#worker?.kill('SIGKILL');
      onKill(undefined);
      this.#work();
      return;
    }
    const server = this.#servers[turn];
    this.#servers[turn] = undefined;
    const ended = server?.[Symbol.asyncDispose]();
    onKill(turn);
    await ended;
    await this.#serve(turn);
  }

  async #serve(index: number): Promise<void> {
    const settings = { TRUST_PROXY: '1', WORKER: 'off' };
    const options = { ...this.#place, settings, signal: this.#run.signal };
    this.#servers[index] = await startServe(options);
  }

  #work(): void {
    const { dataDir, databaseUrl } = this.#place;
    this.#worker = spawn(
      process.execPath,
      [join(repositoryRoot, 'server/src/start.js'), 'worker'],
      {
        cwd: repositoryRoot,
        env: {
          ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
          ...{ NODE_ENV: 'production', SECRET: 'a secret of the bench, and of nobody else' },
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    if (worker?.exitCode === null && worker.signalCode === null) {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    for (const server of this.#servers) await server?.[Symbol.asyncDispose]();
  }
}

interface Listened {
  readonly requests: number;
  readonly downloads: number;
  readonly listeners: number;
}

async function listen(processes: Processes, show: Show, { signal }: Run): Promise<Listened> {
  const agent = new Agent({ keepAlive: true });
  const endAt = Date.now() + seconds * 1_000;
  const again: RangeRequest[] = [];
  let recent: { readonly job: RangeRequest; readonly server: number; readonly endedAt: number }[] =
    [];
  let requests = 0;
  let turn = 0;
  let downloads = 0;
  const ask = async (job: RangeRequest) => {
    for (;;) {
      signal.throwIfAborted();
      turn += 1;
      const server = processes.pick(turn);
      requests += 1;
      const hasResponded = server !== undefined && (await requestRange(server.url, job, agent));
      // The kernel may still deliver a response of a killed process.
      if (hasResponded && processes.pick(server.index)?.url === server.url) {
        recent.push({ job, server: server.index, endedAt: Date.now() });
        return;
      }
      await sleep(20);
    }
  };
  let listeners = 0;
  const listener = async () => {
    while (Date.now() < endAt) {
      listeners += 1;
      const plan = plans[listeners % plans.length]!;
      const address = addressOf(listeners);
      const path = show.paths[listeners % show.paths.length]!;
      if (plan.counts) downloads += 1;
      for (const part of plan.ranges) await ask({ path, range: rangeOf(show, part), address });
      for (let job = again.pop(); job !== undefined; job = again.pop()) await ask(job);
    }
  };
  const killer = async () => {
    while (Date.now() < endAt) {
      await sleep(killEveryMs, undefined, { signal });
      await processes.killOne((server) => {
        const since = Date.now() - uncertainMs;
        recent = recent.filter(({ endedAt }) => endedAt >= since);
        again.push(...recent.filter((one) => one.server === server).map(({ job }) => job));
      });
    }
  };
  await Promise.all([killer(), ...Array.from({ length: listenersAtOnce }, listener)]);
  while (again.length > 0) await ask(again.pop()!);
  agent.destroy();
  return { requests, downloads, listeners };
}

async function compare(
  { ctx }: App,
  { podcastId }: Show,
  { downloads }: Listened,
  { say, signal }: Run,
): Promise<Figure[]> {
  const from = performance.now();
  let sums = await readSums(ctx.db, podcastId);
  while (sums.downloads < downloads && performance.now() - from < 60_000) {
    await sleep(500, undefined, { signal });
    sums = await readSums(ctx.db, podcastId);
  }
  say(`  ${sums.downloads} downloads of ${sums.listeners} listeners counted, ${downloads} made`);
  const aim = { atLeast: 1 };
  const exact = sums.downloads === downloads && sums.listeners === downloads;
  return [
    { name: 'sums equal to the reference (1: yes)', value: exact ? 1 : 0, unit: 'ratio', aim },
    { name: 'downloads counted', value: sums.downloads / downloads, unit: 'ratio' },
  ];
}
