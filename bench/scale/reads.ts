import { createKey } from '../../server/src/domain/access/keys/index.ts';
import { userScopes } from '../../server/src/domain/foundation/enumerations.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { timeMs } from '../median.ts';
import { inMegabytes } from '../memory/databases.ts';
import { startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { largeOwner, makeNetwork, origin, signInTo, size, smallOwner } from './network.ts';
import { type KnownShow, selectShowsOf } from './shows.sql.ts';

const reads = 60;
const aim = { atMost: 100 };

/** A request for a show; each is for another one, so nothing is cached. */
type Path = (show: KnownShow) => string;

const screens: Readonly<Record<string, Path>> = {
  home: () => '/app/api/home',
  'list of shows': () => '/app/api/podcasts',
  'shows to connect': () => '/app/api/connectable-shows?limit=50',
  sites: () => '/app/api/sites',
  keys: () => '/app/api/keys',
  account: () => '/app/api/account',
  imports: () => '/app/api/imports',
  uploads: () => '/app/api/uploads',
  show: ({ id }) => `/app/api/podcasts/${id}`,
  people: ({ id }) => `/app/api/podcasts/${id}/people`,
  team: ({ id }) => `/app/api/podcasts/${id}/members`,
  health: ({ id }) => `/app/api/podcasts/${id}/health`,
  directories: ({ id }) => `/app/api/podcasts/${id}/directories`,
  'first steps': ({ id }) => `/app/api/podcasts/${id}/first-steps`,
  'statistics of a show': ({ id }) => `/app/api/podcasts/${id}/analytics/downloads?range=30d`,
  'statistics by episode': ({ id }) => `/app/api/podcasts/${id}/analytics/episodes?range=30d`,
  'episodes of a show': ({ id }) => `/app/api/podcasts/${id}/episodes`,
  'search in a show': ({ id }) => `/app/api/podcasts/${id}/episodes?q=number`,
  episode: ({ episodeId }) => `/app/api/episodes/${episodeId}`,
  'chapters of an episode': ({ episodeId }) => `/app/api/episodes/${episodeId}/chapters`,
};

const keyed: Readonly<Record<string, Path>> = {
  me: () => '/v1/me',
  'own shows': () => '/v1/me/podcasts',
  'own show': ({ id }) => `/v1/me/podcasts/${id}`,
  'own episodes': ({ id }) => `/v1/me/podcasts/${id}/episodes`,
  'own episode': ({ episodeId }) => `/v1/me/episodes/${episodeId}`,
  'own downloads': ({ id }) => `/v1/me/podcasts/${id}/analytics/downloads?range=30d`,
};

const open: Readonly<Record<string, Path>> = {
  'home page': () => '/',
  'public show': ({ slug }) => `/v1/podcasts/${slug}`,
  'public episodes': ({ slug }) => `/v1/podcasts/${slug}/episodes`,
  'newest episode': ({ slug }) => `/v1/podcasts/${slug}/episodes/latest`,
  feed: ({ slug }) => `/feeds/${slug}.xml`,
  'page of a show': ({ slug }) => `/listen/${slug}`,
  'page of an episode': ({ slug, episodeSlug }) => `/listen/${slug}/${episodeSlug}`,
  oEmbed: ({ slug }) => `/v1/oembed?url=${encodeURIComponent(`${origin}/listen/${slug}`)}`,
};

export const readsPart: Part = {
  name: 'reads',
  about: 'start, memory, and every screen, keyed list and public page; 95 of 100 within',
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server');
      return [];
    }
    await using network = await makeNetwork(run);
    const { place } = network;
    const secret = await makeKeyOf(place, largeOwner);
    const start = await measureStart(place, run);
    await using server = await serve(place, run);
    const before = await server.memory();
    const groups = [];
    for (const [title, email, paths] of [
      [`Screens of an owner of ${size.showsOfFirst} shows`, largeOwner, screens],
      ['Screens of an owner of a few shows', smallOwner, screens],
    ] as const) {
      const cookie = await signInTo(place, email);
      const shows = await showsOf(place, email);
      groups.push(await measurePaths(title, paths, shows, { cookie }, server.url, run));
    }
    const own = await showsOf(place, largeOwner);
    const headers = { authorization: `Bearer ${secret}` };
    groups.push(await measurePaths('With a key', keyed, own, headers, server.url, run));
    groups.push(await measurePaths('For everyone', open, own.toReversed(), {}, server.url, run));
    const after = await server.memory();
    const figures: Figure[] = [
      ...start,
      { name: 'memory after the start', value: inMegabytes(before.rss), unit: 'MB' },
      { name: 'memory after all reads', value: inMegabytes(after.rss), unit: 'MB' },
    ];
    return [{ title: 'Start', figures }, ...groups];
  },
};

const serve = (place: Place, run: Run) =>
  startServe({
    ...place,
    settings: { BASE_URL: origin, WORKER: 'off' },
    ownSession: true,
    signal: run.signal,
  });

/** Beside the same on an empty database. */
async function measureStart(place: Place, run: Run): Promise<Figure[]> {
  await using folder = await makeTempFolder();
  await using database = await createBenchDatabase();
  const empty = { dataDir: folder.path, databaseUrl: database.url };
  const startOf = async (at: Place) => {
    const startMs = async () => timeMs(async () => (await serve(at, run))[Symbol.asyncDispose]());
    await startMs();
    return await startMs();
  };
  const [filled, bare] = [await startOf(place), await startOf(empty)];
  return [
    { name: 'start until it listens', value: filled, unit: 'ms' },
    { name: 'compared with an empty database', value: filled / bare, unit: 'ratio' },
  ];
}

async function makeKeyOf(place: Place, email: string): Promise<string> {
  await using app = await openInstallation(place);
  const [owner] = await selectShowsOf(app.ctx.db, email, 1);
  if (owner === undefined) throw new Error(`${email} owns no show`);
  const { secret } = await createKey(app.ctx, {
    ...{ userId: owner.ownerId, name: 'A key', scopes: userScopes, podcasts: 'all' },
    expiresInDays: 90,
  });
  return secret;
}

async function showsOf(place: Place, email: string): Promise<readonly KnownShow[]> {
  await using app = await openInstallation(place);
  return await selectShowsOf(app.ctx.db, email, size.showsOfFirst);
}

async function measurePaths(
  title: string,
  paths: Readonly<Record<string, Path>>,
  shows: readonly KnownShow[],
  headers: Readonly<Record<string, string>>,
  url: string,
  run: Run,
): Promise<Group> {
  run.say(`  ${title}`);
  const figures: Figure[] = [];
  let next = 0;
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    for (let at = 0; at < reads; at += 1) {
      run.signal.throwIfAborted();
      const show = shows[next++ % shows.length];
      if (show === undefined) throw new RangeError('there is no show');
      times.push(await timeMs(() => read(`${url}${path(show)}`, headers)));
    }
    times.sort((a, b) => a - b);
    const value = times[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
    figures.push({ name, value, unit: 'ms', aim });
  }
  return { title, figures };
}

async function read(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers, redirect: 'manual' });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body.slice(0, 200)}`);
}
