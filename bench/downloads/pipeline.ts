import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import type { App } from '../../server/src/app.ts';
import {
  type AudioRequest,
  ingestBatches,
  type ObservedRequest,
  toAudioRequest,
} from '../../server/src/domain/downloads/index.ts';
import type { Figure, Part } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { timeMs } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeRequests, makeSessions } from './make-requests.ts';

const requests = 200_000;
/** About the requests of a journal segment, which one transaction counts. */
const batchSize = 1_400;
const turnSize = 14_000;
const shows = 10;
const episodesOfShow = 100;

export const pipelinePart: Part = {
  name: 'pipeline',
  about: `${requests} requests into evidence and sums, against COPY of the evidence alone`,
  async measure({ say, signal }) {
    if (!(await postgresAvailable())) {
      say('  no PostgreSQL server: there is nothing to measure against');
      return [];
    }
    const scattered = await measureMix(makeRequests, signal);
    const sessions = await measureMix(makeSessions, signal);
    return [
      {
        title: `${requests} requests in transactions of ${turnSize}, each for any episode`,
        figures: figuresOf(scattered, { atLeast: 0.25 }),
      },
      {
        title: 'The same number, of clients that ask for all of one episode',
        figures: figuresOf(sessions),
      },
    ];
  },
};

interface Times {
  readonly hashMs: number;
  readonly jsonMs: number;
  readonly totalMs: number;
  readonly copyMs: number;
}

async function measureMix(make: typeof makeRequests, signal: AbortSignal): Promise<Times> {
  await using folder = await makeTempFolder();
  await using database = await createBenchDatabase();
  await using app = await openInstallation({ dataDir: folder.path, databaseUrl: database.url });
  const podcasts = await fill(app, signal);
  const day = new Date(app.ctx.clock.now().toISOString().slice(0, 10));
  const secret = Buffer.alloc(32, 1);
  const place = { country: 'DE', network: 3320 };
  let [made, hashMs, jsonMs] = [0, 0, 0];
  /** The steps before counting: hashes the address, and writes and reads lines of the journal. */
  const batchOf = async (observed: readonly ObservedRequest[]) => {
    signal.throwIfAborted();
    let requests: AudioRequest[] = [];
    hashMs += await timeMs(async () => {
      requests = observed.map((one) => toAudioRequest(one, secret, place));
    });
    jsonMs += await timeMs(async () => JSON.parse(JSON.stringify(requests)));
    made += 1;
    return { id: `bench-${made}`, requests };
  };
  const observed = [...make(requests, podcasts, day)];
  const totalMs = await timeMs(async () => {
    for (let from = 0; from < observed.length; from += turnSize) {
      const turn = observed.slice(from, from + turnSize);
      await ingestBatches(app.ctx, () => batches(turn, batchOf));
    }
  });
  return { hashMs, jsonMs, totalMs, copyMs: await copyEvidence(app) };
}

function figuresOf({ hashMs, jsonMs, totalMs, copyMs }: Times, aim?: Figure['aim']): Figure[] {
  const ingestMs = totalMs - hashMs - jsonMs;
  const share = (ms: number) => `${Math.round((100 * ms) / totalMs)} % of the time`;
  const perSecond = (ms: number) => `${Math.round(requests / (ms / 1_000))} a second`;
  return [
    {
      name: 'through the pipeline, against COPY',
      value: copyMs / totalMs,
      unit: 'ratio',
      ...(aim && { aim }),
      note: `${perSecond(totalMs)} against ${perSecond(copyMs)}`,
    },
    { name: 'addresses hashed', value: hashMs, unit: 'ms', note: share(hashMs) },
    { name: 'written and read as JSON', value: jsonMs, unit: 'ms', note: share(jsonMs) },
    { name: 'judged and ingested', value: ingestMs, unit: 'ms', note: share(ingestMs) },
  ];
}

async function* batches<Batch>(
  observed: readonly ObservedRequest[],
  batchOf: (some: readonly ObservedRequest[]) => Promise<Batch>,
): AsyncGenerator<Batch> {
  for (let from = 0; from < observed.length; from += batchSize) {
    yield await batchOf(observed.slice(from, from + batchSize));
  }
}

async function fill(app: App, signal: AbortSignal) {
  const podcasts: { id: string; episodeIds: string[] }[] = [];
  for (let n = 0; n < shows; n += 1) {
    const size = { episodes: episodesOfShow, notesChars: 100, distinctNotes: 1 };
    const { id } = await fillShow(app, { slug: `show-${n}`, ...size }, signal);
    const rows = await app.ctx.db
      .selectFrom('episodes')
      .select('id')
      .where('podcast_id', '=', id)
      .execute();
    podcasts.push({ id, episodeIds: rows.map((row) => row.id) });
  }
  return podcasts;
}

/** Copies the evidence into a table without indexes, from a file on the server. */
async function copyEvidence({ ctx: { db } }: App): Promise<number> {
  const path = `/tmp/podstead-bench-${process.pid}.copy`;
  await sql`copy (select * from download_requests) to ${sql.lit(path)}`.execute(db);
  await sql`create table evidence_copy (like download_requests)`.execute(db);
  const ms = await timeMs(() => sql`copy evidence_copy from ${sql.lit(path)}`.execute(db));
  await rm(path, { force: true });
  return ms;
}
