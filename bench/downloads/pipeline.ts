import { rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../../server/src/app.ts';
import { ingestSegments } from '../../server/src/domain/audience/downloads/delivery/ingest-segments.ts';
import { DownloadCounts } from '../../server/src/domain/audience/downloads/index.ts';
import { chunksOf } from '../../server/src/lib/chunks-of.ts';
import type { Figure, Part } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { timeMs } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openBenchJournal, writeToJournal } from './bench-journal.ts';
import { makeRequests, makeSessions } from './make-requests.ts';

const requests = 200_000;
/** Requests that end at about the same time. */
const batchSize = 1_000;
const shows = 10;
const episodesOfShow = 100;

export const pipelinePart: Part = {
  name: 'pipeline',
  about: `${requests} requests into evidence and sums, against COPY of the rows of evidence alone`,
  async measure({ say, signal }) {
    if (!(await postgresAvailable())) {
      say('  no PostgreSQL server: there is nothing to measure against');
      return [];
    }
    const scattered = await measureMix(makeRequests, signal);
    const sessions = await measureMix(makeSessions, signal);
    return [
      {
        title: `${requests} requests, each for any episode`,
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
  prepareMs: number;
  countMs: number;
  turns: number;
  /** COPY of the rows of evidence that the requests became. */
  copyMs: number;
  evidenceRows: number;
}

async function measureMix(make: typeof makeRequests, signal: AbortSignal): Promise<Times> {
  await using folder = await makeTempFolder();
  await using database = await createBenchDatabase();
  await using app = await openInstallation({ dataDir: folder.path, databaseUrl: database.url });
  await using journal = openBenchJournal(folder.path);
  const podcasts = await fill(app, signal);
  const day = new Date(app.ctx.clock.now().toISOString().slice(0, 10));
  let prepareMs = 0;
  for (const some of chunksOf(make(requests, podcasts, day), batchSize)) {
    signal.throwIfAborted();
    prepareMs += await timeMs(async () => {
      writeToJournal(journal, some);
      // The journal writes to its file in the meantime.
      await setImmediate();
    });
  }
  prepareMs += await timeMs(() => journal.completeSegment());
  const counts = new DownloadCounts();
  const onUnread = (_: unknown, error: unknown) => {
    throw error;
  };
  let turns = 0;
  const countMs = await timeMs(async () => {
    for (let left = [...journal.segments]; left.length > 0; turns += 1) {
      signal.throwIfAborted();
      left = left.slice(await ingestSegments(app.ctx, left, { counts, onUnread }));
    }
  });
  if (counts.requests !== requests) throw new Error(`counted ${counts.requests} requests`);
  return { prepareMs, countMs, turns, ...(await copyEvidence(app)) };
}

/**
 * The ratio compares the time for all requests with that of COPY for the rows that they became:
 * requests that unite make both shorter.
 */
function figuresOf(times: Times, aim?: Figure['aim']): Figure[] {
  const { prepareMs, countMs, turns, copyMs, evidenceRows } = times;
  const totalMs = prepareMs + countMs;
  const perRequest = (ms: number) => `${((1_000 * ms) / requests).toFixed(1)} µs a request`;
  const step = (name: string, ms: number, more = ''): Figure => ({
    name,
    value: ms,
    unit: 'ms',
    note: `${perRequest(ms)}, ${Math.round((100 * ms) / totalMs)} % of the time${more}`,
  });
  return [
    {
      name: 'through the pipeline, against COPY',
      value: copyMs / totalMs,
      unit: 'ratio',
      ...(aim && { aim }),
      note: `${perRequest(totalMs)}; COPY of their ${evidenceRows} rows: ${perRequest(copyMs)}`,
    },
    step('hashed and written to the journal', prepareMs),
    step('read, classified and ingested', countMs, `, in ${turns} transactions`),
  ];
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
async function copyEvidence({ ctx: { db } }: App) {
  const path = `/tmp/podstead-bench-${process.pid}.copy`;
  await sql`copy (select * from download_requests) to ${sql.lit(path)}`.execute(db);
  await sql`create table evidence_copy (like download_requests)`.execute(db);
  const copyMs = await timeMs(() => sql`copy evidence_copy from ${sql.lit(path)}`.execute(db));
  await rm(path, { force: true });
  const { rows } = await sql<{ readonly n: number }>`
    select count(*)::int as n from evidence_copy`.execute(db);
  return { copyMs, evidenceRows: rows[0]?.n ?? 0 };
}
