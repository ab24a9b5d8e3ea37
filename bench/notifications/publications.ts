import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure, Part } from '../bench.ts';
import type { Child } from '../child.ts';
import { postgresAvailable } from '../installation/bench-database.ts';
import { insertNetwork } from '../installation/fill-network.sql.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { openReceiver, startSender } from './open-receiver.ts';
import { OrdinaryRequests, quantile } from './ordinary-requests.ts';
import { scheduleNewest } from './rows.sql.ts';

/** Fewer take less time; the seconds are fewer in the same proportion. */
const shows = Number(process.env['BENCH_NOTIFICATIONS_SHOWS'] ?? 10_000);
const episodesOfShow = 10;
const overSeconds = Math.ceil((60 * shows) / 10_000);
const channels = 3;

export const publicationsPart: Part = {
  name: 'publications',
  about: `${shows.toLocaleString('en')} shows that publish an episode in the same minute`,
  async measure({ signal, say }) {
    if (!(await postgresAvailable())) {
      say('  no PostgreSQL server: there is nothing to measure with');
      return [];
    }
    await using receiver = await openReceiver(signal);
    const { host, port } = receiver;
    const channel = `http://127.0.0.1:${port}`;
    const place = receiver.place({
      BASE_URL: 'https://pods.test',
      PODCAST_INDEX_URL: `${channel}/index`,
      PODPING_URL: `${channel}/podping`,
      PODPING_TOKEN: 'token',
      WEBSUB_HUBS: `${channel}/hub`,
    });
    say(`  filling the database`);
    const dueAtMs = await fill(place);
    const { child: server, ready: url } = await startSender(place, signal);
    await using _server = server;
    return [
      {
        title: `${shows.toLocaleString('en')} publications in ${overSeconds} seconds`,
        figures: await measure(server, host, `${url}/v1/podcasts/show-1`, dueAtMs),
      },
    ];
  },
};

/** When the episode of each show is due, by its slug. */
async function fill(place: Place) {
  await using app = await openInstallation(place);
  const size = { shows, episodesOfShow, users: 100, showsOfFirst: 100, days: 0 };
  await insertNetwork(app.ctx.db, size);
  await vacuum(app.ctx.db);
  const from = new Date(Date.now() + 30_000);
  return await scheduleNewest(app.ctx.db, episodesOfShow, { from, overSeconds });
}

async function measure(
  server: Child,
  host: Child,
  ordinaryUrl: string,
  dueAtMs: ReadonlyMap<string, number>,
): Promise<Figure[]> {
  const first = Math.min(...dueAtMs.values());
  const quiet = new OrdinaryRequests(ordinaryUrl);
  await wait(Math.max(0, first - Date.now() - 2_000));
  const quietMs = await quiet.stop();
  const before = await server.ask<number>('restart');
  const busy = new OrdinaryRequests(ordinaryUrl);
  const all = shows * channels;
  for (let told = 0; told < all; told = await host.ask<number>('count')) {
    await wait(200);
    assert(Date.now() < first + 600_000, `${told} of ${all} requests arrived in ten minutes`);
  }
  const busyMs = await busy.stop();
  const times = await host.ask<[string, number][]>('times');
  const late = times
    .map(([told, atMs]) => {
      const [, slug = ''] = /feeds\/(.+)\.xml$/.exec(told) ?? [];
      return (atMs - (dueAtMs.get(slug) ?? Number.NaN)) / 1_000;
    })
    .sort((a, b) => a - b);
  const peak = await server.ask<number>('peakBytes');
  const last = Math.max(...times.map(([, atMs]) => atMs));
  const delay = quantile(busyMs, 0.99) - quantile(quietMs, 0.99);
  return [
    {
      name: 'from publication to request, median',
      value: quantile(late, 0.5),
      unit: 's',
      aim: { atMost: 2 },
    },
    { name: 'the same, of 99 %', value: quantile(late, 0.99), unit: 's' },
    { name: 'the same, the latest', value: late.at(-1) ?? 0, unit: 's' },
    { name: 'until every channel was told of all shows', value: (last - first) / 1_000, unit: 's' },
    {
      name: 'CPU time of the process for a show, with its requests',
      value: ((await server.ask<number>('cpuSeconds')) * 1_000) / shows,
      unit: 'ms',
    },
    {
      name: 'statements of the database for a show',
      value: (await server.ask<number>('statements')) / shows,
      unit: 'count',
      aim: { atMost: 8 },
    },
    {
      name: 'more memory of the process',
      value: (peak - before) / 1e6,
      unit: 'MB',
    },
    {
      name: 'ordinary requests meanwhile, 99th percentile, less that before',
      value: delay,
      unit: 'ms',
      aim: { atMost: 50 },
      note: `${quantile(busyMs, 0.5).toFixed(1)} ms median, before ${quantile(quietMs, 0.5).toFixed(1)} ms`,
    },
    {
      name: 'the longest task of the process',
      value: await server.ask<number>('longestTaskMs'),
      unit: 'ms',
      aim: { atMost: 50 },
    },
  ];
}
