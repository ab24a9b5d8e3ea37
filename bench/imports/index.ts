import { feedCases, readFeedCase } from '../../server/test/feed-cases.ts';
import { hostileFeeds } from '../../server/test/hostile-feeds.ts';
import type { Bench, Figure, Group, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { type FeedHost, openFeedHost } from './feed-host.ts';
import { measureImport, type Watched } from './measure-import.ts';

const healthAim = { atMost: 100 };
const turnAim = { atMost: 50 };
const sizes = { items: 1_000, many: 100_000 };

/** How much imports delay other requests. */
export const importsBench: Bench = {
  name: 'imports',
  about: 'feeds of real shows and of attackers, and /healthz meanwhile (embedded)',
  parts: [
    { name: 'hostile', about: 'generated feeds, imported', measure: measureHostile },
    { name: 'real', about: 'feeds of many generators, as dry runs', measure: measureReal },
  ],
};

interface Place {
  readonly host: FeedHost;
  readonly server: { readonly child: Child; readonly url: string };
}

async function measureHostile({ say, signal }: Run): Promise<readonly Group[]> {
  await using opened = new AsyncDisposableStack();
  const { host, server } = await openPlace(opened, signal);
  const figures: Figure[] = [];
  const place = { host: host.url, ours: 'http://localhost:3000' };
  for (const { name, write, again, isDryRun, files = {} } of hostileFeeds(sizes)) {
    signal.throwIfAborted();
    say(`  ${name}`);
    for (const [path, writeFile] of Object.entries(files))
      host.serve(path, Buffer.from(writeFile()));
    const owner = await server.child.ask<string>('makeOwner');
    const asked = { url: `${host.url}/feed.xml`, owner };
    host.serve('/feed.xml', Buffer.from(write(place)));
    const dry = await measureImport(server, { ...asked, dryRun: true });
    figures.push(...describe(`${name}: dry run`, dry));
    if (isDryRun === true) continue;
    const real = await measureImport(server, { ...asked, dryRun: false });
    if (again !== undefined) host.serve('/feed.xml', Buffer.from(again(place)));
    const second = await measureImport(server, { ...asked, dryRun: false });
    figures.push(...describe(`${name}: import`, real));
    figures.push(...describe(`${name}: import again`, second));
  }
  return [{ title: 'Imports of hostile feeds', figures }];
}

async function measureReal({ say, signal }: Run): Promise<readonly Group[]> {
  await using opened = new AsyncDisposableStack();
  const { host, server } = await openPlace(opened, signal);
  const figures: Figure[] = [];
  for (const name of feedCases) {
    signal.throwIfAborted();
    say(`  ${name}`);
    host.serve('/feed.xml', await readFeedCase(name));
    const owner = await server.child.ask<string>('makeOwner');
    const asked = { url: `${host.url}/feed.xml`, owner, dryRun: true };
    figures.push(...describe(name, await measureImport(server, asked)));
  }
  return [{ title: 'Dry runs of feeds of many generators', figures }];
}

async function openPlace(opened: AsyncDisposableStack, signal: AbortSignal): Promise<Place> {
  const folder = opened.use(await makeTempFolder());
  const host = opened.use(await openFeedHost());
  const script = new URL('./serve-imports.ts', import.meta.url);
  const input = { dataDir: folder.path };
  const { child, ready: url } = await Child.start<string>(script, input, signal);
  opened.use(child);
  const server = { child, url };
  // The first import of a process loads code that later imports use.
  host.serve('/feed.xml', Buffer.from('<rss><channel><title>A</title></channel></rss>'));
  const owner = await child.ask<string>('makeOwner');
  await measureImport(server, { url: `${host.url}/feed.xml`, owner, dryRun: false });
  return { host, server };
}

function describe(name: string, measured: Watched): Figure[] {
  const { seconds, turnMs, pauseMs, slowestHealthMs, outcome } = measured;
  return [
    { name, value: seconds, unit: 's', note: outcome },
    { name: '  slowest /healthz', value: slowestHealthMs, unit: 'ms', aim: healthAim },
    {
      name: '  longest work in one go',
      value: turnMs,
      unit: 'ms',
      aim: turnAim,
      note: `longest pause: ${Math.round(pauseMs)} ms`,
    },
  ];
}
