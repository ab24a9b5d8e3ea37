import assert from 'node:assert/strict';
import { makeSite } from '../../server/test/make-site.ts';
import type { Figure, Part } from '../bench.ts';
import { Child } from '../child.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { takeResponse } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';

const episodes = 10_000;
const pageSize = 100;
const notesChars = 4_000;

interface Peak {
  readonly rssBytes: number;
  /** In CPU time of the process, so other processes do not matter. */
  readonly longestTurnMs: number;
}

export const cataloguePart: Part = {
  name: 'catalogue',
  about: `a new site reads ${episodes.toLocaleString('en')} episodes from 0`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: nothing is measured');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    const { path, secret } = await fill(place, run.signal);
    const { child, ready: url } = await Child.start<string>(
      new URL('../installation/serve-podstead.ts', import.meta.url),
      place,
      run.signal,
    );
    await using _child = child;
    const headers = { Authorization: `Bearer ${secret}` };
    const readAll = () =>
      readFeed((query) => takeResponse({ url: url + path + query, headers }, run.signal));
    const before = await child.ask<Peak>('beginPeak');
    const first = await readAll();
    const { rssBytes, longestTurnMs } = await child.ask<Peak>('peak');
    const again = await readAll();
    const figures: Figure[] = [
      { name: 'all pages, compared for the first time', value: first.seconds, unit: 's' },
      { name: 'all pages again, nothing to compare', value: again.seconds, unit: 's' },
      {
        name: 'the longest turn of the event loop, the first time',
        value: longestTurnMs,
        unit: 'ms',
        aim: { atMost: 50 },
      },
      {
        name: 'more memory than before, at its peak',
        value: (rssBytes - before.rssBytes) / 1e6,
        unit: 'MB',
      },
    ];
    const title = `A feed of ${episodes} episodes with show notes of ${notesChars} characters, in pages of ${pageSize}`;
    return [{ title, figures }];
  },
};

async function fill(place: Place, signal: AbortSignal): Promise<{ path: string; secret: string }> {
  await using app = await openInstallation(place);
  const size = { slug: 'night-signals', episodes, notesChars, distinctNotes: 500 };
  const { id, ownerId } = await fillShow(app, size, signal);
  await vacuum(app.ctx.db);
  const { siteId, secret } = await makeSite(app.ctx, { id: ownerId }, [{ id }]);
  return { path: `/v1/me/sites/${siteId}/changes`, secret };
}

/** Reads pages to the end, one after the other. */
async function readFeed(
  read: (query: string) => ReturnType<typeof takeResponse>,
): Promise<{ readonly seconds: number }> {
  const startedAt = performance.now();
  const seen = new Set<string>();
  for (let after = 0; ; ) {
    const { status, body } = await read(`?limit=${pageSize}&after=${after}`);
    assert.equal(status, 200);
    const page = JSON.parse(Buffer.from(body, 'base64').toString()) as {
      cursor: number;
      data: { episode_id: string }[];
    };
    if (page.data.length === 0) break;
    for (const { episode_id: id } of page.data) seen.add(id);
    after = page.cursor;
  }
  assert.equal(seen.size, episodes);
  return { seconds: (performance.now() - startedAt) / 1_000 };
}
