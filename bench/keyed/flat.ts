import assert from 'node:assert/strict';
import type { App } from '../../server/src/app.ts';
import {
  createKey,
  findKeyPrincipal,
  listReachedPodcasts,
  maxNamedPodcasts,
} from '../../server/src/domain/access/keys/index.ts';
import { createUser, type User } from '../../server/src/domain/foundation/accounts/index.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import type {
  EpisodeListPosition,
  EpisodeListQuery,
} from '../../server/src/domain/publishing/episodes/index.ts';
import { addPerson } from '../../server/src/domain/publishing/people/index.ts';
import { addMember, updatePodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { explainQueries } from '../installation/explain.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { compareTimes } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { creditNewest, insertPodcasts } from './fill-podcasts.sql.ts';
import { readList } from './read-list.ts';

const few = { episodes: 10, podcasts: 1 };
const many = { episodes: 100_000, podcasts: 5_000 };
const pageSize = 5;
/** A show of few episodes has only two pages. */
const farPage = 10_000;
const pairs = 200;
const aim = { atMost: 1.3 } as const;
const theSameNamed = `the same, by a key that names ${maxNamedPodcasts} of them`;

export const flatPart: Part = {
  name: 'flat',
  about: `the statements of keyed reads: ${few.episodes} against ${many.episodes} episodes, ${few.podcasts} against ${many.podcasts} podcasts`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: nothing is measured');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    await using app = await openInstallation({ dataDir: folder.path, databaseUrl: database.url });
    return [await measureEpisodes(app, run), await measurePodcasts(app, run)];
  },
};

interface Show {
  readonly podcastId: string;
  readonly secret: string;
  /** The secret of a co-host's key. */
  readonly cohostSecret: string;
}

async function measureEpisodes(app: App, run: Run): Promise<Group> {
  run.say(`  making ${many.episodes} episodes`);
  const short = await makeShow(app, 'short', few.episodes, run.signal);
  const long = await makeShow(app, 'long', many.episodes, run.signal);
  await vacuum(app.ctx.db);
  run.say('  reading lists');
  const figures: Figure[] = [];
  const remarks: string[] = [];
  for (const list of await makeLists(app, short, long)) {
    run.signal.throwIfAborted();
    const readShort = (ctx: Context) => read(ctx, short, list.short);
    const readLong = (ctx: Context) => read(ctx, long, list.long);
    const { figure, plan } = await compare(app, list.name, readShort, readLong);
    figures.push(figure);
    remarks.push(...plan);
  }
  const title = `A list of ${pageSize} in a show of ${many.episodes} episodes, against a show of ${few.episodes}`;
  return { title, figures, remarks };
}

/** Makes a show. A co-host is credited on the same number of episodes in each show. */
async function makeShow(
  app: App,
  slug: string,
  episodes: number,
  signal: AbortSignal,
): Promise<Show> {
  const size = { slug, episodes, notesChars: 600, distinctNotes: 500 };
  const { id: podcastId, ownerId } = await fillShow(app, size, signal);
  const cohost = await makeUser(app, `cohost-${slug}`);
  const person = await addPerson(app.ctx, { podcastId, name: 'Bo', userId: cohost.id });
  await creditNewest(app.ctx.db, { podcastId, personId: person.id, count: few.episodes });
  await updatePodcast(app.ctx, podcastId, { teamKeys: true });
  await addMember(app.ctx, { podcastId, userId: cohost.id, role: 'cohost' });
  const cohostSecret = await makeKey(app, cohost.id);
  return { podcastId, cohostSecret, secret: await makeKey(app, ownerId) };
}

/** `secret`: that of another key than the owner's. */
type ListQuery = Partial<EpisodeListQuery & Pick<Show, 'secret'>>;

interface List {
  readonly name: string;
  readonly short: ListQuery;
  readonly long: ListQuery;
}

async function makeLists(app: App, short: Show, long: Show): Promise<List[]> {
  const same = (name: string, query: ListQuery): List => ({
    name,
    short: query,
    long: query,
  });
  return [
    same('all', {}),
    same('status=published', { status: 'published' }),
    same('status=draft, of which there are none', { status: 'draft' }),
    {
      name: 'what credits a co-host',
      short: { secret: short.cohostSecret },
      long: { secret: long.cohostSecret },
    },
    {
      name: `page ${farPage}, against page 2`,
      short: { after: await findPage(app, short, 2) },
      long: { after: await findPage(app, long, farPage) },
    },
  ];
}

/** Finds the position of a page like a client, but with larger pages. */
async function findPage(app: App, show: Show, page: number): Promise<EpisodeListPosition> {
  let after: EpisodeListPosition | undefined;
  for (let rest = (page - 1) * pageSize; rest > 0; ) {
    const limit = Math.min(rest, 1_000);
    after = (await read(app.ctx, show, { after, limit })).next;
    rest -= limit;
  }
  assert(after !== undefined);
  return after;
}

function read(ctx: Context, { podcastId, ...show }: Show, { secret, ...query }: ListQuery) {
  return readList(ctx, secret ?? show.secret, { podcastId, limit: pageSize, ...query });
}

async function measurePodcasts(app: App, run: Run): Promise<Group> {
  run.say(`  making ${many.podcasts} podcasts`);
  const one = await makeOwner(app, 'one', few.podcasts);
  const lots = await makeOwner(app, 'lots', many.podcasts);
  await vacuum(app.ctx.db);
  run.say('  reading podcasts');
  const list = (secret: string) => async (ctx: Context) => {
    const principal = await findKeyPrincipal(ctx, secret);
    assert(principal !== undefined);
    const acting = { ...ctx, principal };
    const { items } = await listReachedPodcasts(acting, { limit: few.podcasts });
    assert(items.length > 0);
  };
  const episodes = (owner: Owner, secret: string) => (ctx: Context) =>
    readList(ctx, secret, { podcastId: owner.podcastId, limit: 20 });
  const comparisons = [
    await compare(app, 'the first of the podcasts', list(one.all), list(lots.all)),
    await compare(app, theSameNamed, list(one.named), list(lots.named)),
    await compare(app, 'episodes of one of them', episodes(one, one.all), episodes(lots, lots.all)),
    await compare(app, theSameNamed, episodes(one, one.named), episodes(lots, lots.named)),
  ];
  return {
    title: `A user of ${many.podcasts} podcasts, against one of ${few.podcasts}`,
    figures: comparisons.map(({ figure }) => figure),
    remarks: comparisons.flatMap(({ plan }) => plan),
  };
}

interface Owner {
  readonly podcastId: string;
  /** The secrets of a key for all podcasts, and of a key that names podcasts. */
  readonly all: string;
  readonly named: string;
}

async function makeOwner(app: App, slug: string, count: number): Promise<Owner> {
  const { id: ownerId } = await makeUser(app, slug);
  await insertPodcasts(app.ctx.db, { ownerId, slug, count });
  const all = await makeKey(app, ownerId);
  const principal = await findKeyPrincipal(app.ctx, all);
  assert(principal !== undefined);
  const acting = { ...app.ctx, principal };
  const { items } = await listReachedPodcasts(acting, { limit: count });
  assert.equal(items.length, count);
  // The maximum that a key may name.
  const ids = items.map(({ id }) => id).slice(-maxNamedPodcasts);
  const podcastId = ids.at(-1) ?? '';
  return { podcastId, all, named: await makeKey(app, ownerId, ids) };
}

function makeUser(app: App, name: string): Promise<User> {
  const email = `${name}@example.com`;
  return createUser(app.ctx, { email, password: 'correct horse battery staple', name });
}

async function makeKey(
  app: App,
  userId: string,
  podcasts: 'all' | readonly string[] = 'all',
): Promise<string> {
  const scopes = ['podcasts:read', 'episodes:read'] as const;
  const key = { userId, name: 'Bench', scopes, podcasts };
  return (await createKey(app.ctx, { ...key, expiresInDays: 30 })).secret;
}

async function compare(
  app: App,
  name: string,
  readFew: (ctx: Context) => Promise<unknown>,
  readMany: (ctx: Context) => Promise<unknown>,
): Promise<{ figure: Figure; plan: string[] }> {
  const { ctx } = app;
  const { ratio, firstMs, secondMs } = await compareTimes(
    pairs,
    () => readFew(ctx),
    () => readMany(ctx),
  );
  const note = `${secondMs.toFixed(2)} ms, of the few ${firstMs.toFixed(2)} ms`;
  const figure: Figure = { name, value: ratio, unit: 'ratio', aim, note };
  const plan = ratio > aim.atMost ? [`  ${name}:`, await explainQueries(app, readMany)] : [];
  return { figure, plan };
}
