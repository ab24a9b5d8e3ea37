import assert from 'node:assert/strict';
import { listChanges } from '../../server/src/domain/exchange/sites/index.ts';
import { actWithKey } from '../../server/test/act-with-key.ts';
import { makeSite } from '../../server/test/make-site.ts';
import type { Part } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { captureBare, type MeasuredRequest, measureAgainstBare } from '../keyed/against-bare.ts';
import { takeResponse } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';

const episodes = 1_000;

export const pollPart: Part = {
  name: 'poll',
  about: 'a call of the feed that finds nothing, against the same statements without the rest',
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server: there is nothing to measure against');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    const request = await fill(place, run.signal);
    const { how, figures } = await measureAgainstBare(run, place, request, async (ours) => {
      const { status, body } = await takeResponse(ours, run.signal);
      assert.equal(status, 200);
      const page = JSON.parse(Buffer.from(body, 'base64').toString()) as { data: unknown[] };
      assert.deepEqual(page.data, []);
    });
    return [{ title: `A call of the feed that finds nothing (${how})`, figures }];
  },
};

async function fill(
  place: Place & { databaseUrl: string },
  signal: AbortSignal,
): Promise<MeasuredRequest> {
  await using app = await openInstallation(place);
  const size = { slug: 'night-signals', episodes, notesChars: 2_000, distinctNotes: 60 };
  const { id, ownerId } = await fillShow(app, size, signal);
  const { siteId, secret, ctx } = await makeSite(app.ctx, { id: ownerId }, [{ id }]);
  const call = { after: 0, limit: 100 };
  for (let isRead = false; !isRead; ) {
    const { cursor, changes } = await listChanges(ctx, siteId, call);
    call.after = cursor;
    isRead = changes.length === 0;
  }
  await vacuum(app.ctx.db);
  const poll = { after: call.after, limit: 20 };
  const bare = await captureBare(app, place.databaseUrl, async (captured) =>
    listChanges(await actWithKey(captured, secret), siteId, poll),
  );
  return { path: `/v1/me/sites/${siteId}/changes?after=${call.after}`, secret, bare };
}
