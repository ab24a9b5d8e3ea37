import assert from 'node:assert/strict';
import { createKey } from '../../server/src/domain/access/keys/index.ts';
import type { Part } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import type { Target } from '../load.ts';
import { takeResponse } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { captureBare, type MeasuredRequest, measureAgainstBare } from './against-bare.ts';
import { readList } from './read-list.ts';

const episodes = 1_000;
const pageSize = 20;

export const listPart: Part = {
  name: 'list',
  about: `a list of ${pageSize} episodes, against the same statements without the rest`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: there is nothing to measure against');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    const request = await fill(place, run.signal);
    const { how, figures } = await measureAgainstBare(run, place, request, (ours, theirs) =>
      assertSameList(ours, theirs, run.signal),
    );
    const title = `A keyed list of ${pageSize} episodes (${how})`;
    return [{ title, figures }];
  },
};

async function fill(
  place: Place & { databaseUrl: string },
  signal: AbortSignal,
): Promise<MeasuredRequest> {
  await using app = await openInstallation(place);
  const size = { slug: 'night-signals', episodes, notesChars: 2_000, distinctNotes: 60 };
  const { id: podcastId, ownerId } = await fillShow(app, size, signal);
  await vacuum(app.ctx.db);
  const { secret } = await createKey(app.ctx, {
    userId: ownerId,
    name: 'Bench',
    scopes: ['episodes:read'],
    podcasts: 'all',
    expiresInDays: 30,
  });
  const bare = await captureBare(app, place.databaseUrl, (ctx) =>
    readList(ctx, secret, { podcastId, limit: pageSize }),
  );
  return { path: `/v1/me/podcasts/${podcastId}/episodes`, secret, bare };
}

/** Throws unless both servers send the same episodes. */
async function assertSameList(ours: Target, theirs: Target, signal: AbortSignal): Promise<void> {
  const [ids, bareIds] = await Promise.all(
    [ours, theirs].map(async (target) => {
      const { status, body } = await takeResponse(target, signal);
      assert.equal(status, 200);
      const { data } = JSON.parse(Buffer.from(body, 'base64').toString()) as {
        data: { id: string }[];
      };
      return data.map(({ id }) => id);
    }),
  );
  assert.equal(ids?.length, pageSize);
  assert.deepEqual(bareIds?.slice(0, pageSize), ids);
}
