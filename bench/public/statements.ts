import { findKeyPrincipal } from '../../server/src/domain/access/keys/index.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import {
  findPublicPodcast,
  getPublicAudio,
  getPublicEpisode,
  listPublicEpisodes,
} from '../../server/src/domain/public/catalogue/index.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { captureQueries } from '../installation/capture-queries.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { compareTimes } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';

const size = { slug: 'show', episodes: 2_000, notesChars: 500, distinctNotes: 20 };
const pairs = 40;
const times = 25;

export const statementsPart: Part = {
  name: 'statements',
  about: 'statements prepared under a name, against the same without one',
  async measure(run) {
    const groups: Group[] = [];
    if (await postgresAvailable()) {
      await using database = await createBenchDatabase();
      groups.push(await measurePlace('PostgreSQL', database.url, run));
    }
    groups.push(await measurePlace('Embedded', undefined, run));
    return groups;
  },
};

async function measurePlace(title: string, databaseUrl: string | undefined, run: Run) {
  await using folder = await makeTempFolder();
  const place: Place = { dataDir: folder.path, ...(databaseUrl && { databaseUrl }) };
  await using app = await openInstallation(place);
  const { pool } = app.database;
  const { id: podcastId } = await fillShow(app, size, run.signal);
  const show = await findPublicPodcast(app.ctx, podcastId);
  if (show === undefined) throw new Error('the show is not public');
  const { items } = await listPublicEpisodes(app.ctx, show, { limit: 1 });
  const [{ id = '' } = {}] = items;
  await attachTone(app.ctx, id, 1);
  await pool.query('analyze');
  const reads: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
    'audio of an address': (ctx) => getPublicAudio(ctx, id),
    'an episode': (ctx) => getPublicEpisode(ctx, show, id),
    'a page of 20': (ctx) => listPublicEpisodes(ctx, show, { limit: 20 }),
    'what a key may read': (ctx) => findKeyPrincipal(ctx, 'svc_live_none', { podcastId }),
  };
  const figures: Figure[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const [query] = await captureQueries(app, read);
    if (query === undefined) throw new Error(`${name}: no query`);
    const { sql: text, parameters } = query;
    const values = [...parameters];
    const repeat = (send: () => Promise<unknown>) => async () => {
      for (let n = 0; n < times; n += 1) await send();
    };
    // The pool's client prepares a text with values, but not a query that is an object.
    const named = repeat(() => pool.query(text, values));
    const unnamed = repeat(() => pool.query({ text, values }));
    await named();
    const { ratio, firstMs, secondMs } = await compareTimes(pairs, unnamed, named);
    const note = [secondMs, firstMs].map((ms) => `${((ms / times) * 1000).toFixed(0)} µs`);
    figures.push({ name, value: ratio, unit: 'ratio', note: note.join(' against ') });
  }
  return { title: `${title}: named statements, as a share of the time without`, figures };
}
