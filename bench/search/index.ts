import type { App } from '../../server/src/app.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { indexEpisodes } from '../../server/src/domain/public/search/index.ts';
import type { Bench, Figure, Group, Run } from '../bench.ts';
import { Random } from '../fuzz/random.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { timeMs } from '../median.ts';
import { startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { insertTranscripts, selectEpisodeIds } from './fill-transcripts.sql.ts';
import { makeSpeech, wordOfRank } from './make-speech.ts';

const episodes = Number(process.env['SEARCH_EPISODES'] ?? 2_000);
/** An hour of speech: ten words in four seconds. */
const segments = 900;
const searches = 200;
const floodedMs = 15_000;
const flooders = 16;

/** How long a search takes, and whether a flood of them delays other requests. */
export const searchBench: Bench = {
  name: 'search',
  about: `the search of a show of SEARCH_EPISODES (2,000) hours of speech: its time, and a flood of searches`,
  parts: [
    {
      name: 'pages',
      about: '95 of 100 searches, and 99 of 100 other requests during a flood',
      async measure(run) {
        const groups = [await measureEmbedded(run)];
        if (await postgresAvailable()) groups.push(await measureServer(run));
        else run.say('  no PostgreSQL server: only the embedded database is measured');
        return groups;
      },
    },
  ],
};

async function measureEmbedded(run: Run): Promise<Group> {
  await using folder = await makeTempFolder();
  const place = { dataDir: folder.path };
  await fill(place, run);
  return { title: `Searches, embedded database`, figures: await measurePlace(place, run) };
}

async function measureServer(run: Run): Promise<Group> {
  await using folder = await makeTempFolder();
  await using database = await createBenchDatabase();
  const place = { dataDir: folder.path, databaseUrl: database.url };
  await fill(place, run);
  return { title: `Searches, PostgreSQL server`, figures: await measurePlace(place, run) };
}

async function fill(place: Place, run: Run): Promise<void> {
  await using app = await openInstallation(place);
  run.say(`  making ${episodes} hours of speech`);
  const size = { slug: 'long', episodes, notesChars: 600, distinctNotes: 500 };
  const { id } = await fillShow(app, size, run.signal);
  await speak(app, id, run.signal);
  run.say('  indexing them');
  await indexEpisodes(app.contextFor(system), run.signal);
  await vacuum(app.ctx.db);
}

const transcriptsAtOnce = 10;

async function speak({ ctx }: App, podcastId: string, signal: AbortSignal): Promise<void> {
  const random = new Random(1);
  const ids = await selectEpisodeIds(ctx.db, podcastId);
  for (let from = 0; from < ids.length; from += transcriptsAtOnce) {
    signal.throwIfAborted();
    const some = ids.slice(from, from + transcriptsAtOnce);
    const made = some.map((episodeId) => ({ episodeId, texts: makeSpeech(random, segments) }));
    await insertTranscripts(ctx.db, made);
  }
}

/** Measures an installation that has been filled. */
async function measurePlace(place: Place, run: Run): Promise<Figure[]> {
  await using server = await startServe({ ...place, signal: run.signal });
  const request = async (path: string) => {
    const response = await fetch(`${server.url}${path}`, { signal: run.signal });
    await response.arrayBuffer();
    return response.status;
  };
  const random = new Random(2);
  const search = () => request(`/listen/long?q=${encodeURIComponent(someSearch(random))}`);
  for (let n = 0; n < 30; n += 1) await search();
  run.say('  searching');
  const times = await repeat(searches, search);
  const others = otherReads(request);
  const quiet = await repeat(300, others);
  run.say('  flooding');
  const flood = new Flood(search);
  const flooded: number[] = [];
  for (const until = performance.now() + floodedMs; performance.now() < until; )
    flooded.push(await timeMs(others));
  const { answered, refused } = await flood.end();
  const note = `${answered} searches, ${refused} refused with 503`;
  const delay = shareOf(flooded, 0.99) - shareOf(quiet, 0.99);
  return [
    { name: 'a search, 95 of 100', value: shareOf(times, 0.95), unit: 'ms', aim: { atMost: 50 } },
    { name: 'a search, median', value: shareOf(times, 0.5), unit: 'ms' },
    { name: 'another request, 99 of 100', value: shareOf(quiet, 0.99), unit: 'ms' },
    { name: 'its delay in a flood', value: delay, unit: 'ms', aim: { atMost: 50 }, note },
  ];
}

/** Cached and uncached pages and data of the same show, in turn. */
function otherReads(request: (path: string) => Promise<number>): () => Promise<unknown> {
  let n = 0;
  return () => {
    n += 1;
    const number = 1 + (n % episodes);
    const paths = ['/listen/long', `/listen/long/episode-${number}`, '/healthz'];
    return request(paths[n % paths.length] ?? '');
  };
}

/** Words as rare as those that people search for, sometimes two, sometimes not typed to the end. */
function someSearch(random: Random): string {
  const word = () => wordOfRank(Math.floor(30_000 ** (0.3 + 0.7 * random.next())) - 1);
  const words = random.chance(0.4) ? `${word()} ${word()}` : word();
  if (random.chance(0.1)) return `"${words}"`;
  return random.chance(0.3) ? words.slice(0, Math.max(3, words.length - 1)) : `${words} `;
}

class Flood {
  #isOver = false;
  readonly #flooding: Promise<unknown>;
  readonly #counts = { answered: 0, refused: 0 };

  constructor(search: () => Promise<number>) {
    const flood = async () => {
      while (!this.#isOver) {
        if ((await search()) === 200) this.#counts.answered += 1;
        else this.#counts.refused += 1;
      }
    };
    this.#flooding = Promise.all(Array.from({ length: flooders }, flood));
  }

  async end(): Promise<{ answered: number; refused: number }> {
    this.#isOver = true;
    await this.#flooding;
    return this.#counts;
  }
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let n = 0; n < times; n += 1) measured.push(await timeMs(work));
  return measured;
}

function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
