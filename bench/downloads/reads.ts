import assert from 'node:assert/strict';
import type { App } from '../../server/src/app.ts';
import { createKey, findKeyPrincipal } from '../../server/src/domain/access/keys/index.ts';
import {
  listEpisodeAnalytics,
  readBreakdown,
  readPodcastDownloads,
} from '../../server/src/domain/audience/analytics/index.ts';
import { type Dimension, sumMonths } from '../../server/src/domain/audience/downloads/index.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import { listEpisodes } from '../../server/src/domain/publishing/episodes/index.ts';
import {
  addDays,
  firstDayOfMonth,
  subtractMonths,
  utcDayOf,
} from '../../server/src/lib/utc-day.ts';
import { type Figure, meetsAim, type Part, type Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { explainQueries } from '../installation/explain.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { compareTimes } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { insertSums, valuesOf } from './fill-sums.sql.ts';

const small = 1_000_000;
const large = 100_000_000;
const episodes = 300;
const pairs = 100;
const ratioAim = { atMost: 1.2 } as const;
const timeAim = { atMost: 10 } as const;

/** The statements of a keyed read, on a large show and on a small one. */
export const readsPart: Part = {
  name: 'reads',
  about: `twelve months of a show with ${large} downloads, against one with ${small}`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: nothing is measured');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    await using app = await openInstallation({ dataDir: folder.path, databaseUrl: database.url });
    run.say('  writing sums');
    const shows = [
      await makeShow(app, 'small', small, run),
      await makeShow(app, 'large', large, run),
    ];
    await sumMonths(app.ctx);
    await vacuum(app.ctx.db);
    run.say('  reading');
    const figures: Figure[] = [];
    const remarks: string[] = [];
    for (const { name, read, isOfOneEpisode = false } of reads) {
      run.signal.throwIfAborted();
      const [ofSmall, ofLarge] = shows.map(
        (show) => (ctx: Context) => readWithKey(ctx, show, read),
      );
      assert(ofSmall !== undefined && ofLarge !== undefined);
      const times = await compareTimes(
        pairs,
        () => ofSmall(app.ctx),
        () => ofLarge(app.ctx),
      );
      const note = `${times.secondMs.toFixed(2)} ms, of the small show ${times.firstMs.toFixed(2)} ms`;
      const ratio: Figure = { name, value: times.ratio, unit: 'ratio', note };
      const all: readonly Figure[] = [
        isOfOneEpisode ? ratio : { ...ratio, aim: ratioAim },
        { name: `${name}, time`, value: times.secondMs, unit: 'ms', aim: timeAim },
      ];
      figures.push(...all);
      if (all.some((figure) => meetsAim(figure) === false)) {
        remarks.push(`  ${name}:`, await explainQueries(app, ofLarge));
      }
    }
    const title = `Twelve months of ${large} downloads, against ${small} (${episodes} episodes)`;
    return [{ title, figures, remarks }];
  },
};

interface Show {
  readonly podcastId: string;
  /** Published eleven months ago. */
  readonly episodeId: string;
  readonly secret: string;
}

async function makeShow(app: App, slug: string, downloads: number, run: Run): Promise<Show> {
  const size = { slug, episodes, notesChars: 600, distinctNotes: 60 };
  const { id: podcastId, ownerId } = await fillShow(app, size, run.signal);
  const episodeId = await findEpisode(app, podcastId);
  await insertSums(app.ctx.db, { podcastId, episodeId, downloads });
  const { secret } = await createKey(app.ctx, {
    userId: ownerId,
    name: 'Bench',
    scopes: ['analytics:read'],
    podcasts: 'all',
    expiresInDays: 30,
  });
  return { podcastId, episodeId, secret };
}

/** Almost twelve months, for which monthly sums help least: one month is read by days. */
const today = utcDayOf(new Date());
const range = { from: addDays(firstDayOfMonth(subtractMonths(today, 11)), 1), to: today };

/** The episodes are published weekly, and the list begins with the newest. */
async function findEpisode({ ctx }: App, podcastId: string): Promise<string> {
  const list = { podcastId, status: undefined, after: undefined, limit: 48 };
  const { items } = await listEpisodes(ctx, list);
  const { id } = items.at(-1) ?? assert.fail('no episode');
  return id;
}

type Read = (ctx: Context, show: Show) => Promise<unknown>;

const readEntries =
  (dimension: Dimension, ofEpisode = false): Read =>
  async (ctx, { podcastId, ...show }) => {
    const episodeId = ofEpisode ? show.episodeId : undefined;
    const query = { podcastId, episodeId, dimension, range };
    const { entries } = await readBreakdown(ctx, query);
    assert.equal(entries.at(-1)?.key, 'other');
  };

const readEpisodes =
  (limit: number): Read =>
  async (ctx, { podcastId }) => {
    const { items } = await listEpisodeAnalytics(ctx, {
      ...{ podcastId, range, after: undefined, limit },
    });
    assert.equal(items.length, limit);
  };

const readSeries: Read = async (ctx, { podcastId }) => {
  const { totals } = await readPodcastDownloads(ctx, podcastId, { range, interval: 'day' });
  assert(totals.downloads > 0);
};

interface NamedRead {
  readonly name: string;
  readonly read: Read;
  /** An episode of a large show has rows on most days, so its ratio has no aim. */
  readonly isOfOneEpisode?: true;
}

const reads: readonly NamedRead[] = [
  { name: 'a daily series', read: readSeries },
  { name: `by country, of ${valuesOf.countries}`, read: readEntries('countries') },
  { name: `by app, of ${valuesOf.apps}`, read: readEntries('apps') },
  { name: `by referrer, of ${valuesOf.referrers}`, read: readEntries('referrers') },
  {
    name: 'by country, of one episode',
    read: readEntries('countries', true),
    isOfOneEpisode: true,
  },
  { name: 'a page of 20 episodes', read: readEpisodes(20) },
  { name: 'a page of 100 episodes', read: readEpisodes(100) },
];

async function readWithKey(ctx: Context, show: Show, read: Read): Promise<void> {
  const principal = await findKeyPrincipal(ctx, show.secret, { podcastId: show.podcastId });
  assert(principal !== undefined);
  await read({ ...ctx, principal }, show);
}
