import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../server/src/app.ts';
import { reconcileSite } from '../../server/src/domain/exchange/sites/feed/reconcile-site.ts';
import { startPings } from '../../server/src/domain/exchange/sites/pings/index.ts';
import { schedulePingsForChanges } from '../../server/src/domain/exchange/sites/pings/schedule-pings.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { createEpisode, updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { createPodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeCertificate, testHost } from '../../server/test/hosts/certificate.ts';
import { createSiteClient } from '../../server/test/hosts/hostile-sites.ts';
import { makeUser } from '../../server/test/make.ts';
import { makeSite } from '../../server/test/make-site.ts';
import type { Figure, Part } from '../bench.ts';
import { Child } from '../child.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { median } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { copySite, moveSite, noteCalls } from './fill-sites.sql.ts';

const sites = 10_000;
const episodes = 5;
const writes = 60;

export const pingsPart: Part = {
  name: 'pings',
  about: `${sites.toLocaleString('en')} sites that follow one show, told of one change`,
  async measure({ signal, say }) {
    const tls = makeCertificate();
    if (tls === undefined || !(await postgresAvailable())) {
      say('  no PostgreSQL server or no openssl: there is nothing to measure with');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const { child: host, ready: port } = await Child.start<number>(
      new URL('./site-host.ts', import.meta.url),
      tls,
      signal,
    );
    await using _host = host;
    const outbound = createSiteClient(tls);
    const place = { dataDir: folder.path, databaseUrl: database.url };
    await using app = await openInstallation(place, { outbound });
    const { followed, alone } = await fill(app, port);
    const load = loadavg()[0] ?? 0;
    const figures = [
      await compareWrites(app, followed, alone),
      ...(await tell(app, host, followed, signal)),
    ];
    const remarks = [
      `  ${availableParallelism()} CPUs, load ${load.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after`,
    ];
    return [{ title: `Pings of ${sites.toLocaleString('en')} sites`, figures, remarks }];
  },
};

/** An episode of a show that all sites follow, and one of a show without any. */
interface Filled {
  readonly followed: string;
  readonly alone: string;
}

async function fill({ ctx }: App, port: number): Promise<Filled> {
  const owner = await makeUser(ctx);
  const make = async (slug: string) => {
    const { id } = await createPodcast(ctx, { slug, title: slug, owner });
    const publishedAt = new Date(ctx.clock.now().getTime() - 3_600_000);
    const made = { podcastId: id, status: 'published', title: 'An hour', publishedAt } as const;
    const all = Array.from({ length: episodes }, (_, at) => ({ ...made, slug: `episode-${at}` }));
    const [first] = await Promise.all(all.map((episode) => createEpisode(ctx, episode)));
    assert(first);
    return { id, episodeId: first.id };
  };
  const [followed, alone] = [await make('followed'), await make('alone')];
  const { siteId } = await makeSite(ctx, owner, [followed]);
  await moveSite(ctx.db, siteId, `https://${testHost}:${port}/wp-json/`);
  while ((await reconcileSite(ctx, siteId)).isBehind);
  await copySite(ctx.db, siteId, sites - 1);
  await schedulePingsForChanges(ctx);
  await noteCalls(ctx.db);
  await vacuum(ctx.db);
  return { followed: followed.episodeId, alone: alone.episodeId };
}

/** Alternates, so that slow changes of the machine affect both equally. */
async function compareWrites({ ctx }: App, followed: string, alone: string): Promise<Figure> {
  const times = { followed: [] as number[], alone: [] as number[] };
  for (let at = 0; at < writes * 2; at += 1) {
    const name = at % 2 === 0 ? 'followed' : 'alone';
    const episodeId = name === 'followed' ? followed : alone;
    const startedAt = performance.now();
    await updateEpisode(ctx, episodeId, { title: `Title ${at}` });
    times[name].push(performance.now() - startedAt);
  }
  const [ours, theirs] = [median(times.followed), median(times.alone)];
  return {
    name: 'time of the transaction that changes an episode, without any site = 1',
    value: ours / theirs,
    unit: 'ratio',
    aim: { atMost: 1.1 },
    note: `${ours.toFixed(1)} ms, without sites ${theirs.toFixed(1)} ms`,
  };
}

async function tell(
  { ctx, contextFor, pingCounts }: App,
  host: Child,
  episodeId: string,
  signal: AbortSignal,
): Promise<Figure[]> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  await updateEpisode(ctx, episodeId, { title: 'The change' });
  await schedulePingsForChanges(ctx);
  const noted = seconds();
  await using _pings = startPings(contextFor(system), { counts: pingCounts });
  let first: number | undefined;
  for (let told = 0; told < sites; ) {
    signal.throwIfAborted();
    await wait(20);
    told = await host.ask<number>('told');
    if (told > 0) first ??= seconds();
    assert(seconds() < 600, `${told} sites were told in ten minutes`);
  }
  const all = seconds();
  return [
    { name: 'until all pings are due', value: noted, unit: 's' },
    { name: 'until the first site was told', value: first ?? all, unit: 's', aim: { atMost: 5 } },
    {
      name: 'until all were told',
      value: all,
      unit: 's',
      note: `${Math.round(sites / all)} sites a second, ${pingCounts.failed} failures`,
    },
  ];
}
