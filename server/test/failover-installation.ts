import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailoverLoad } from './failover-load.ts';
import { freePort } from './free-port.ts';
import { PostgresServer, urlOfAll } from './hosts/postgres-server.ts';
import { startProgram } from './start-program.ts';

const database = 'podstead';
const password = 'correct horse battery';
/** Episodes whose titles are saved. */
const savedEpisodes = ['s1', 's2', 's3', 's4'];

/** `serve`, as an operator starts it, on a primary and a standby on which its commits wait. */
export interface FailoverInstallation extends AsyncDisposable {
  readonly servers: readonly [PostgresServer, PostgresServer];
  /** Signs in, and prepares requests to it. */
  createLoad(): Promise<FailoverLoad>;
  /** What the database has counted. */
  countDownloads(primary: PostgresServer): Promise<number>;
  /** How many jobs have succeeded that began after this moment of the database's clock. */
  countJobs(primary: PostgresServer, since: string): Promise<number>;
  /** The titles of the saved episodes, which are numbers. */
  readTitles(primary: PostgresServer): Promise<ReadonlyMap<string, number>>;
}

export interface FailoverOptions {
  /** Where the service connects to, if not to both servers. */
  readonly urlOf?: (servers: readonly PostgresServer[]) => string | Promise<string>;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openFailoverInstallation({
  urlOf = (servers) => urlOfAll(servers, database),
  settings = {},
}: FailoverOptions = {}): Promise<FailoverInstallation> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'podstead-failover-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const first = opened.use(await PostgresServer.create());
  await first.query(`create database ${database}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ PORT: String(port), BASE_URL: url, DATA_DIR: join(folder, 'data') },
    ...{ SECRET: 'x'.repeat(32), TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
    ...settings,
  };
  // While there is no standby, nothing waits for one.
  await writeFile(join(folder, 'seed.json'), JSON.stringify(loadedSeed));
  const seeding = startProgram(['seed', 'seed.json'], {
    cwd: folder,
    env: { ...env, DATABASE_URL: first.urlOf(database) },
  });
  const { code, stderr } = await seeding.ended;
  if (code !== 0) throw new Error(stderr);
  const servers = [first, opened.use(await PostgresServer.createStandby(first))] as const;
  const serving = startProgram(['serve'], {
    cwd: folder,
    env: { ...env, DATABASE_URL: await urlOf(servers) },
  });
  opened.defer(async () => {
    serving.child.kill('SIGKILL');
    await serving.ended;
  });
  await serving.ready();
  const rows = await first.query<{ id: string; slug: string }>(
    'select id, slug from episodes',
    database,
  );
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
  const resources = opened.move();
  let loads = 0;
  return {
    servers,
    createLoad: () => {
      loads += 1;
      return createFailoverLoad(url, ids, loads);
    },
    countDownloads: async (primary) => {
      const sum = `select coalesce(sum(downloads), 0)::int as sum from episode_download_days`;
      return (await primary.query<{ sum: number }>(sum, database))[0]?.sum ?? 0;
    },
    countJobs: async (primary, since) => {
      const count = `select count(*)::int as count from pgboss.job
        where state = 'completed' and started_on > '${since}'`;
      return (await primary.query<{ count: number }>(count, database))[0]?.count ?? 0;
    },
    readTitles: async (primary) => {
      const rows = await primary.query<{ id: string; title: string }>(
        `select id, title from episodes where slug like 's%'`,
        database,
      );
      return new Map(rows.map(({ id, title }) => [id, Number(title)]));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What a FailoverLoad requests. */
export const loadedSeed = {
  users: [{ ref: 'ana', email: 'ana@example.com', password }],
  podcasts: [
    {
      ...{ ref: 'quiet', owner: 'ana', slug: 'quiet', title: 'Quiet' },
      episodes: [
        {
          ...{ ref: 'q1', slug: 'q1', title: 'One', status: 'published' },
          audio: { tone_seconds: 120 },
        },
      ],
    },
    {
      ...{ ref: 'busy', owner: 'ana', slug: 'busy', title: 'Busy' },
      episodes: savedEpisodes.map((ref) => ({ ref, slug: ref, title: '0', status: 'published' })),
    },
  ],
};

/** Signs in to an installation that has `loadedSeed`. `ids` of its episodes, by slug. */
export async function createFailoverLoad(
  url: string,
  ids: ReadonlyMap<string, string>,
  network: number,
): Promise<FailoverLoad> {
  const response = await fetch(`${url}/app/api/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com', password }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(`sign-in: ${response.status}`);
  const idOf = (slug: string) => ids.get(slug) ?? '';
  return new FailoverLoad({
    ...{ url, cookie, network },
    quietPaths: [
      ...['/v1/podcasts/quiet', '/v1/podcasts/quiet/episodes', '/feeds/quiet.xml'],
      ...[`/v1/episodes/${idOf('q1')}`, '/listen/quiet'],
    ],
    audioPath: `/media/${idOf('q1')}/f/q1.mp3`,
    savedEpisodeIds: savedEpisodes.map(idOf),
  });
}
