import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailoverLoad } from './failover-load.ts';
import { freePort } from './free-port.ts';
import type { DatabasePair } from './hosts/database-pair.ts';
import { urlOfAll } from './hosts/postgres-address.ts';
import { startProgram } from './start-program.ts';

/** The database of the service. */
export const failoverDatabase = 'podstead';
const password = 'correct horse battery';
/** Episodes whose titles are saved. */
const savedEpisodes = ['s1', 's2', 's3', 's4'];

/** `serve`, as an operator starts it, on a primary and a standby for which its commits wait. */
export interface FailoverInstallation extends AsyncDisposable {
  readonly pair: DatabasePair;
  /** Signs in, and prepares requests to it. */
  createLoad(): Promise<FailoverLoad>;
  /** How many downloads all loads have got. */
  countDelivered(): number;
  /** How many the primary has counted. */
  countDownloads(): Promise<number>;
  /** How many jobs have succeeded that began after this moment of the database's clock. */
  countJobs(since: string): Promise<number>;
  /** The titles of the saved episodes, which are numbers. */
  readTitles(): Promise<ReadonlyMap<string, number>>;
}

/**
 * `pair`: without databases so far. `settings`: where the service connects to, if not to both servers
 * (`failoverDatabase`).
 */
export async function openFailoverInstallation(
  pair: DatabasePair,
  settings: Readonly<Record<string, string>> = {},
): Promise<FailoverInstallation> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'podstead-failover-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await pair.primary.query(`create database ${failoverDatabase}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ PORT: String(port), BASE_URL: url, DATA_DIR: join(folder, 'data') },
    ...{ SECRET: 'x'.repeat(32), TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
    ...{ DATABASE_URL: urlOfAll(pair.servers, failoverDatabase), ...settings },
  };
  await writeFile(join(folder, 'seed.json'), JSON.stringify(loadedSeed));
  const { code, stderr } = await startProgram(['seed', 'seed.json'], { cwd: folder, env }).ended;
  if (code !== 0) throw new Error(stderr);
  const serving = startProgram(['serve'], { cwd: folder, env });
  opened.defer(async () => {
    serving.child.kill('SIGKILL');
    await serving.ended;
  });
  await serving.ready();
  const rows = await pair.primary.query<{ id: string; slug: string }>(
    'select id, slug from episodes',
    failoverDatabase,
  );
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
  const resources = opened.move();
  const loads: FailoverLoad[] = [];
  return {
    ...{ pair, ...readingFrom(pair) },
    createLoad: async () => {
      const load = await createFailoverLoad(url, ids, loads.length);
      loads.push(load);
      return load;
    },
    countDelivered: () => loads.reduce((sum, { delivered }) => sum + delivered, 0),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function readingFrom(
  pair: DatabasePair,
): Pick<FailoverInstallation, 'countDownloads' | 'countJobs' | 'readTitles'> {
  return {
    countDownloads: async () => {
      const sum = `select coalesce(sum(downloads), 0)::int as sum from episode_download_days`;
      const rows = await pair.primary.query<{ sum: number }>(sum, failoverDatabase);
      return rows[0]?.sum ?? 0;
    },
    countJobs: async (since) => {
      const count = `select count(*)::int as count from pgboss.job
        where state = 'completed' and started_on > '${since}'`;
      const rows = await pair.primary.query<{ count: number }>(count, failoverDatabase);
      return rows[0]?.count ?? 0;
    },
    readTitles: async () => {
      const rows = await pair.primary.query<{ id: string; title: string }>(
        `select id, title from episodes where slug like 's%'`,
        failoverDatabase,
      );
      return new Map(rows.map(({ id, title }) => [id, Number(title)]));
    },
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
