import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertEpisodes } from '../../bench/installation/fill-show.sql.ts';
import { freePort } from '../test/free-port.ts';
import { openPodcastHost, serveStalledShow, toneBytes } from '../test/hosts/podcast-host.ts';
import { isRunning } from '../test/is-running.ts';
import { patience } from '../test/patience.ts';
import { type Program, startProgram } from '../test/start-program.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { tickedMs } from '../test/ticked-ms.ts';
import { isOnMainDatabase, isOnServer } from '../test/which-database.ts';
import { writeEmptyDatabase } from '../test/write-empty-database.ts';
import type { Tables } from './domain/foundation/database.ts';
import { openDatabase } from './platform/database/database.ts';
import { createLog } from './platform/log/log.ts';

// A busy process receives SIGTERM or SIGINT.

vi.setConfig({ testTimeout: 300_000 });

/** A supervisor kills a process that takes longer to stop. */
const limitMs = 10_000;
let opened: AsyncDisposableStack;
let folder: string;
let database: TestDatabase<Tables> | undefined;
/** `killed` once a test has sent it a signal. */
let server: Program | undefined;
let url: string;
let port: number;

const start = (argv: readonly string[]) =>
  startProgram(argv, {
    cwd: folder,
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: join(folder, 'data'),
      OUTBOUND_ALLOW: '127.0.0.0/8',
      PUBLIC_RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      ...(database?.url && { DATABASE_URL: database.url, SECRET: 'x'.repeat(32) }),
    },
  });

interface SeededShow {
  readonly slug: string;
  readonly episodes: readonly string[];
  readonly seconds: number;
}

/** A user and shows. */
async function seed(email: string, ...shows: readonly SeededShow[]): Promise<void> {
  const podcasts = shows.map(({ slug, episodes, seconds }) => ({
    ...{ ref: slug, owner: 'owner', slug, title: slug },
    episodes: episodes.map((name) => ({
      ...{ ref: name, slug: name, title: `Episode ${name}`, status: 'published' },
      audio: { tone_seconds: seconds },
    })),
  }));
  const users = [{ ref: 'owner', email, password: 'correct horse' }];
  await writeFile(join(folder, 'seeds.json'), JSON.stringify({ users, podcasts }));
  expect(await start(['seed', 'seeds.json']).ended).toMatchObject({ code: 0 });
}

// A start takes seconds of processor time. So the tests share an installation, and a server until one of
// them has stopped it.
beforeAll(async () => {
  opened = new AsyncDisposableStack();
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'podstead-stopping-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  if (isOnServer) database = opened.use(await createTestDatabase());
  else await writeEmptyDatabase(join(folder, 'data'));
  opened.defer(kill);
  await serve();
  await seed(
    'ana@example.com',
    { slug: 'show', episodes: ['e1', 'e2', 'e3'], seconds: 5 },
    { slug: 'large', episodes: [], seconds: 0 },
  );
}, 300_000);
afterAll(() => opened.disposeAsync());

/** The server that runs, or a new one if none does. */
async function serve(): Promise<Program> {
  if (server !== undefined && !server.child.killed) return server;
  server = start(['serve']);
  await server.ready();
  return server;
}

async function kill(): Promise<void> {
  server?.child.kill('SIGKILL');
  await server?.ended;
}

interface Load {
  readonly answered: number[];
  /** The paths of responses that ended early. */
  readonly halves: string[];
  readonly over: Promise<unknown>;
}

/** Clients that send one request after the other until the server refuses connections. */
function driveLoad(clients: number, paths: readonly string[]): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const [answered, halves]: [number[], string[]] = [[], []];
  const client = async (first: number) => {
    for (let n = first; ; n += 1) {
      const path = paths[n % paths.length] ?? '/';
      const outcome = await ask(agent, path);
      if (outcome === 'refused') return;
      if (outcome === 'half') halves.push(path);
      if (typeof outcome === 'number') answered.push(outcome);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  return { answered, halves, over: all.finally(() => agent.destroy()) };
}

/** 'closed': the server closed a keep-alive connection before it got the request. */
function ask(agent: Agent, path: string): Promise<number | 'half' | 'closed' | 'refused'> {
  return new Promise((resolve) => {
    const asked = get(url + path, { agent }, (response) => {
      response
        .on('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 'half'))
        .on('error', () => resolve('half'))
        .resume();
    });
    asked.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'refused' : 'closed'),
    );
  });
}

/** The processes that read files for it. What starts them is its only child. */
function childrenOf({ child }: Program): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' });
  const processes = list.split('\n').map((line) => {
    const [parent, pid, ...args] = line.trim().split(/\s+/);
    return { parent: Number(parent), pid: Number(pid), args };
  });
  const starter = processes.find(({ parent }) => parent === child.pid);
  return processes.flatMap(({ parent, pid, args }) => {
    const isReader = args.some((arg) => arg.endsWith('processes/child.ts'));
    return parent === starter?.pid && isReader ? [pid] : [];
  });
}

async function addressOf(show: string, slug: string): Promise<string> {
  const answer = await fetch(`${url}/v1/podcasts/${show}/episodes/${slug}`);
  const { data } = (await answer.json()) as { data: { audio: { url: string } } };
  return new URL(data.audio.url).pathname;
}

describe('an import that a command follows, beside a server', () => {
  // CLI-15, IMPORT-7
  it('an import that a command follows beside a server continues after Ctrl-C', async () => {
    await serve();
    await using host = await openPodcastHost();
    const asked = serveStalledShow(host);
    const argv = ['import', `${host.url}/feed.xml`, '--owner', 'ana@example.com', '--slug', 'new'];
    const command = start(argv);
    await asked;
    host.serve('/1.mp3', await toneBytes(1));
    command.child.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect([code, stdout]).toEqual([1, '']);
    const [, id = ''] = /continues the import:.*import show ([0-9a-f-]{36})/s.exec(stderr) ?? [];

    const duration = async () => {
      const answer = await fetch(`${url}/v1/podcasts/new/episodes/one`);
      const { data } = (await answer.json()) as { data?: { audio?: { duration_seconds: number } } };
      return data?.audio?.duration_seconds;
    };
    await expect.poll(duration, { ...patience, interval: 200 }).toBe(1);
    const state = async () => JSON.parse((await start(['import', 'show', id]).ended).stdout).state;
    await expect.poll(state, patience).toBe('finished');
  });
});

// The files are not in the database.
describe.runIf(isOnMainDatabase)('a server that reads files in child processes', () => {
  it('a server that reads files in child processes ends them, removes the files, and stops', async () => {
    const server = await serve();
    const scratch = join(folder, 'data/blobs/.scratch');
    const csv = Buffer.alloc(1024 * 1024, 'Title,Date,Downloads\n');
    const headers = { origin: url, 'content-type': 'application/json' };
    const signedIn = await fetch(`${url}/app/api/sign-in`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ email: 'ana@example.com', password: 'correct horse' }),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const { data } = (await (await fetch(`${url}/v1/podcasts/show`)).json()) as {
      data: { id: string };
    };
    const path = `/app/api/podcasts/${data.id}/platforms/spotify/check`;
    const send = () =>
      fetch(url + path, { method: 'POST', headers: { origin: url, cookie }, body: csv }).catch(
        () => undefined,
      );
    // Stopped as soon as they are there, they do not finish before the server gets its signal.
    const children = new Set<number>();
    const sent = [send(), send()];
    await expect
      .poll(
        async () => {
          for (const pid of childrenOf(server)) {
            children.add(pid);
            process.kill(pid, 'SIGSTOP');
          }
          const files = (await readdir(scratch)).filter((name) => name.endsWith('.csv'));
          return [children.size > 1, files.length];
        },
        { ...patience, interval: 10 },
      )
      .toEqual([true, 2]);

    server.child.kill('SIGTERM');
    const tookMs = await tickedMs(server.ended);
    expect((await server.ended).code).toBe(0);
    expect(tookMs).toBeLessThan(limitMs);
    await Promise.all(sent);
    expect(await readdir(scratch)).toEqual([]);
    expect([...children].filter(isRunning)).toEqual([]);
  });
});

describe('a server under load', () => {
  // CLI-10
  it('finishes running requests, does not wait for stuck clients, and ends', async () => {
    const server = await serve();
    // More than fits into the buffers of a connection.
    await seed('bo@example.com', { slug: 'long', episodes: ['e1'], seconds: 1800 });
    const [long, short] = [await addressOf('long', 'e1'), await addressOf('show', 'e2')];
    const show = '/v1/podcasts/show';
    const load = driveLoad(16, [
      ...[show, `${show}/episodes?season=1&limit=2`, `${show}/episodes/e2`, short],
      ...['/listen/show', '/listen/show/e3', '/feeds/show.xml', `${show}/episodes?limit=2`],
    ]);
    // This client reads only the first bytes. The server must not wait for it.
    const held = get(url + long, { agent: false });
    const [answer] = (await once(held, 'response')) as [IncomingMessage];
    answer.pause().on('error', () => undefined);
    await expect.poll(() => load.answered.length, patience).toBeGreaterThan(200);

    server.child.kill('SIGTERM');
    const before = load.answered.length;
    const tookMs = await tickedMs(server.ended);
    expect((await server.ended).code).toBe(0);
    await load.over;
    expect(tookMs).toBeLessThan(limitMs);
    expect(load.halves).toEqual([]);
    expect(new Set(load.answered)).toEqual(new Set([200]));
    expect(load.answered.length).toBeGreaterThanOrEqual(before);
    held.destroy();
  });
});

/** Fills the show `large`. The embedded database has one process at a time, so no server may run. */
async function fillShow(count: number): Promise<void> {
  const place = { dataDir: join(folder, 'data/database'), log: createLog('warn') };
  await using embedded =
    database === undefined ? await openDatabase<Tables>({ kind: 'embedded', ...place }) : undefined;
  const { query } = embedded ?? database?.connection ?? expect.unreachable();
  const large = query.selectFrom('podcasts').select('id').where('slug', '=', 'large');
  const { id: podcastId } = await large.executeTakeFirstOrThrow();
  const notes = ['<p>What was heard.</p>'.repeat(200)];
  await insertEpisodes(query, { podcastId, from: 1, to: count, count, notes });
}

describe('a server that computes feeds for clients that have left', () => {
  it('a server that computes feeds for clients that have left ends without a word about its database', async () => {
    await kill();
    await fillShow(1_500);
    const server = await serve();
    const clients = [
      ...['/feeds/large.xml', '/listen/large', '/v1/podcasts/large/episodes?limit=100'],
    ].map((path) => get(url + path, { agent: false }).on('error', () => undefined));
    // By now, the feed has been begun.
    await fetch(`${url}/v1/podcasts/large/episodes/episode-1`);
    for (const client of clients) client.destroy();
    server.child.kill('SIGTERM');
    const tookMs = await tickedMs(server.ended);
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(limitMs);
    expect(stdout + stderr).not.toMatch(/"level"|failed|pool/);
  });
});
