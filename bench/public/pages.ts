import type { App } from '../../server/src/app.ts';
import {
  countEpisodes,
  type EpisodePosition,
  type EpisodeQuery,
  findPublicPodcast,
  listPublicEpisodes,
  type PublicPodcast,
} from '../../server/src/domain/public/catalogue/index.ts';
import { createEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { explainQueries } from '../installation/explain.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { compareTimes, median, timeMs } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';

const episodes = 100_000;
const pageSize = 20;
/** The page that should take about as long as the first. */
const farPage = 1_000;
const pairs = 100;
const reads = 20;
const writes = 40;
const aim = { atMost: 1.2 } as const;

export const pagesPart: Part = {
  name: 'pages',
  about: `page 1 and page ${farPage} of ${episodes} episodes, straight from the database`,
  async measure(run) {
    const groups = [await measureEmbedded(run)];
    if (await postgresAvailable()) groups.push(await measureServer(run));
    else run.say('  no PostgreSQL server: only the embedded database is measured');
    return groups;
  },
};

async function measureEmbedded(run: Run): Promise<Group> {
  await using folder = await makeTempFolder();
  return await measureDatabase(run, 'embedded database', { dataDir: folder.path });
}

async function measureServer(run: Run): Promise<Group> {
  await using folder = await makeTempFolder();
  await using database = await createBenchDatabase();
  const place = { dataDir: folder.path, databaseUrl: database.url };
  return await measureDatabase(run, 'PostgreSQL server', place);
}

async function measureDatabase(run: Run, name: string, place: Place): Promise<Group> {
  run.say(`  ${name}: making ${episodes} episodes`);
  await using app = await openInstallation(place);
  const size = { episodes, notesChars: 600, distinctNotes: 500 };
  const long = await fillShow(app, { ...size, slug: 'long' }, run.signal);
  const short = await fillShow(app, { ...size, slug: 'short', episodes: 20 }, run.signal);
  await vacuum(app.ctx.db);
  run.say(`  ${name}: reading pages`);
  const show = await getPodcast(app, long.slug);
  const remarks: string[] = [];
  const figures: Figure[] = [];
  for (const list of lists) {
    run.signal.throwIfAborted();
    const { figure, far } = await measureList(app, show, list);
    figures.push(figure);
    if (figure.value > aim.atMost) {
      remarks.push(`  ${list.name}, page ${list.farPage}:`, await explain(app, show, far));
    }
  }
  figures.push(await measureFirstRead(app, long.slug));
  figures.push(await measureWrite(app, long.id, short.id));
  return { title: `A show of ${episodes} episodes, ${name}`, figures, remarks };
}

interface List {
  readonly name: string;
  readonly farPage: number;
  readonly filter: Pick<EpisodeQuery, 'season' | 'types'>;
}

/** All trailers are in the show's oldest fifth, so a search by date has to skip many rows. */
const lists: readonly List[] = [
  { name: 'all', farPage, filter: {} },
  { name: 'type=full', farPage, filter: { types: ['full'] } },
  { name: 'season=1', farPage, filter: { season: 1 } },
  {
    name: 'type=full,trailer&season=1',
    farPage,
    filter: { season: 1, types: ['full', 'trailer'] },
  },
  { name: 'type=trailer&season=1', farPage: 10, filter: { season: 1, types: ['trailer'] } },
];

async function measureList(
  app: App,
  show: PublicPodcast,
  list: List,
): Promise<{ figure: Figure; far: EpisodeQuery }> {
  const near = { ...list.filter, limit: pageSize };
  const far = { ...near, after: await findPage(app, show, near, list.farPage) };
  const read = (query: EpisodeQuery) => () => listPublicEpisodes(app.ctx, show, query);
  const { ratio, firstMs, secondMs } = await compareTimes(pairs, read(near), read(far));
  const figure: Figure = {
    name: `${list.name}: page ${list.farPage} against page 1`,
    value: ratio,
    unit: 'ratio',
    aim,
    note: `${secondMs.toFixed(2)} ms, page 1 ${firstMs.toFixed(2)} ms`,
  };
  return { figure, far };
}

/** Finds the position of a page like a client, but with larger pages. */
async function findPage(
  app: App,
  show: PublicPodcast,
  query: EpisodeQuery,
  page: number,
): Promise<EpisodePosition> {
  let after: EpisodePosition | undefined;
  for (let rest = (page - 1) * query.limit; rest > 0; ) {
    const limit = Math.min(rest, 1_000);
    after = (await listPublicEpisodes(app.ctx, show, { ...query, after, limit })).next;
    if (after === undefined) throw new Error(`There is no page ${page}.`);
    rest -= limit;
  }
  if (after === undefined) throw new Error('The first page needs no position.');
  return after;
}

async function explain(app: App, show: PublicPodcast, query: EpisodeQuery): Promise<string> {
  return await explainQueries(app, (ctx) => listPublicEpisodes(ctx, show, query));
}

/** The first read after a change: the show and the number of its episodes. */
async function measureFirstRead(app: App, slug: string): Promise<Figure> {
  const times: number[] = [];
  for (let i = 0; i < reads; i += 1) {
    times.push(await timeMs(async () => countEpisodes(app.ctx, await getPodcast(app, slug))));
  }
  return { name: 'podcast, uncached', value: median(times), unit: 'ms' };
}

/** Creates episodes one after the other, like an import. */
async function measureWrite(app: App, longId: string, shortId: string): Promise<Figure> {
  let number = 0;
  const write = (podcastId: string) => () => {
    number += 1;
    const title = `Brought in ${number}`;
    return createEpisode(app.ctx, { podcastId, slug: `new-${number}`, title, status: 'published' });
  };
  const { ratio, firstMs, secondMs } = await compareTimes(writes, write(shortId), write(longId));
  return {
    name: 'new episode, against one in a show of 20',
    value: ratio,
    unit: 'ratio',
    note: `${secondMs.toFixed(2)} ms, in the short show ${firstMs.toFixed(2)} ms`,
  };
}

async function getPodcast(app: App, slug: string): Promise<PublicPodcast> {
  const show = await findPublicPodcast(app.ctx, slug);
  if (show === undefined) throw new Error(`${slug} is missing`);
  return show;
}
