import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure, Part } from '../bench.ts';
import type { Child } from '../child.ts';
import { postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { openReceiver, startSender } from './open-receiver.ts';
import { OrdinaryRequests, quantile } from './ordinary-requests.ts';
import { insertSubscribers } from './rows.sql.ts';

const subscribers = 1_000;
const feedBytes = 1_000_000;
const episodes = 160;

export const hubPart: Part = {
  name: 'deliveries',
  about: `a feed of 1 MB for ${subscribers.toLocaleString('en')} subscribers`,
  async measure({ signal, say }) {
    if (!(await postgresAvailable())) {
      say('  no PostgreSQL server: there is nothing to measure with');
      return [];
    }
    await using receiver = await openReceiver(signal);
    const { host, port } = receiver;
    const place = receiver.place({ BASE_URL: 'http://pods.test' });
    const podcastId = await fill(place, port, signal);
    const { child: server, ready: url } = await startSender(place, signal);
    await using _server = server;
    const feed = await (await fetch(`${url}/feeds/night-signals.xml`)).arrayBuffer();
    assert(Math.abs(feed.byteLength - feedBytes) < feedBytes / 4, `${feed.byteLength} bytes`);
    const title = `A feed of ${(feed.byteLength / 1e6).toFixed(2)} MB, ${subscribers} subscribers`;
    const figures = await measure(server, host, podcastId, `${url}/v1/podcasts/night-signals`);
    return [{ title, figures }];
  },
};

async function fill(place: Place, port: number, signal: AbortSignal): Promise<string> {
  await using app = await openInstallation(place);
  const size = { slug: 'night-signals', episodes, notesChars: 5_000, distinctNotes: episodes };
  const { id } = await fillShow(app, size, signal);
  await insertSubscribers(app.ctx.db, id, { count: subscribers, port });
  await vacuum(app.ctx.db);
  return id;
}

async function measure(
  server: Child,
  host: Child,
  podcastId: string,
  ordinaryUrl: string,
): Promise<Figure[]> {
  const untilTold = async (sinceMs = Date.now()) => {
    while ((await host.ask<number>('count')) < subscribers) {
      await wait(100);
      assert(Date.now() < sinceMs + 600_000, 'not all were told in ten minutes');
    }
  };
  const tell = async (title: string) => {
    await host.ask('forget');
    const savedAtMs = await server.ask<number>('retitle', { podcastId, title });
    await untilTold(savedAtMs);
    const times = (await host.ask<[string, number][]>('times')).map(([, atMs]) => atMs);
    return [Math.min(...times) - savedAtMs, Math.max(...times) - savedAtMs] as const;
  };
  const before = await server.ask<number>('restart');
  // Everybody gets the feed that they lack, which also loads the code.
  await untilTold();
  const quiet = new OrdinaryRequests(ordinaryUrl);
  await wait(31_000);
  const quietMs = await quiet.stop();
  await server.ask('forgetTasks');
  const busy = new OrdinaryRequests(ordinaryUrl);
  const [first, last] = await tell('Another title');
  const busyMs = await busy.stop();
  const bytes = await host.ask<number>('bytes');
  return [
    {
      name: 'until the first subscriber had the feed',
      value: first / 1_000,
      unit: 's',
      aim: { atMost: 2 },
    },
    {
      name: 'until all had it',
      value: last / 1_000,
      unit: 's',
      aim: { atMost: 60 },
      note: `${(bytes / 1e6).toFixed(0)} MB`,
    },
    {
      name: 'ordinary requests meanwhile, 99th percentile, less that before',
      value: quantile(busyMs, 0.99) - quantile(quietMs, 0.99),
      unit: 'ms',
      aim: { atMost: 50 },
      note: `longest ${busyMs.at(-1)?.toFixed(0)} ms, before ${quietMs.at(-1)?.toFixed(0)} ms`,
    },
    {
      name: 'the longest task of the process',
      value: await server.ask<number>('longestTaskMs'),
      unit: 'ms',
      aim: { atMost: 50 },
    },
    {
      name: 'more memory of the process',
      value: ((await server.ask<number>('peakBytes')) - before) / 1e6,
      unit: 'MB',
      aim: { atMost: 200 },
    },
  ];
}
