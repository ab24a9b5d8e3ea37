import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow, type Show } from '../../../../test/downloads.ts';
import { propertyRuns } from '../../../../test/property-runs.ts';
import type { Clients, Context } from '../../foundation/context.ts';
import { recount } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const today = '2026-03-10';
const dayMs = 86_400_000;

/** Takes these user agents for bots and no other, and gives every app a new name. */
function underNewRules(...bots: readonly string[]): Context {
  const clients: Clients = {
    identify: (userAgent) => ({
      kind: bots.includes(userAgent ?? '') ? 'bot' : 'app',
      app: `new ${userAgent}`,
      device: 'unknown',
    }),
  };
  return { ...test.ctx, installation: { ...test.ctx.installation, clients } };
}

/** Every sum of a show, without the rows that have become zero. */
async function sumsOf({ podcastId }: Show) {
  const all = async (text: string) => (await test.database.pool.query(text, [podcastId])).rows;
  return {
    days: await all(`select day::text, downloads, listeners from podcast_download_days
      where podcast_id = $1 and downloads <> 0 order by 1`),
    ofMonths: await all(`select month::text, downloads from podcast_download_months
      where podcast_id = $1 and downloads <> 0 order by 1`),
    episodes: await all(`select episode_id, day::text, downloads from episode_download_days
      where podcast_id = $1 and downloads <> 0 order by 1, 2`),
    totals: await all(`select episode_id, downloads from episode_download_totals
      where podcast_id = $1 and downloads <> 0 order by 1`),
    values:
      await all(`select dimension, day::text, value, downloads from podcast_download_dimensions
      where podcast_id = $1 and downloads <> 0 order by 1, 2, 3`),
    months: await all(`select dimension, month::text, value, downloads
      from podcast_download_dimension_months where podcast_id = $1 and downloads <> 0
      order by 1, 2, 3`),
    episodeMonths: await all(`select episode_id, month::text, downloads
      from episode_download_months where podcast_id = $1 and downloads <> 0 order by 1, 2`),
    episodeValues: await all(`select episode_id, day::text, counts
      from episode_download_breakdowns, jsonb_path_query_array(counts, '$.*.*') as any_count
      where podcast_id = $1 and any_count <> '[]' order by 1, 2`),
  };
}

describe('a recount', () => {
  it('a recount counts what a rule rejected, and rejects what it counted', async () => {
    const show = await makeShow(test.ctx);
    const [good, bad] = ['AntennaPod/3.4', 'Googlebot/2.1 (+http://www.google.com/bot.html)'];
    await ingest(
      test.ctx,
      makeAudioRequest(test.ctx, show, { userAgent: good }),
      makeAudioRequest(test.ctx, show, { userAgent: bad, listener: 'b'.repeat(32) }),
      makeAudioRequest(test.ctx, show, { userAgent: bad, listener: 'c'.repeat(32) }),
    );
    const result = await recount(underNewRules(good), { from: today, to: today });
    expect(result.after - result.before).toBe(1);
    expect((await sumsOf(show)).days).toEqual([{ day: today, downloads: 2, listeners: 2 }]);
    expect((await sumsOf(show)).values).toContainEqual({
      dimension: 'apps',
      day: today,
      value: `new ${bad}`,
      downloads: 2,
    });
    // The old rules give the old figures.
    expect(await recount(test.ctx, { from: today, to: today })).toEqual({
      before: result.after,
      after: result.before,
      skipped: [],
      incomplete: [],
    });
  });

  it('unites the requests of a listener, however many there are', async () => {
    const show = await makeShow(test.ctx);
    const small = (n: number) =>
      makeAudioRequest(test.ctx, show, {
        neededBytes: 2_500,
        audio: [{ start: n, end: n }],
        at: new Date(test.clock.now().getTime() - n),
        source: n === 2_499 ? 'player' : 'feed',
      });
    await ingest(test.ctx, ...Array.from({ length: 2_500 }, (_, n) => small(n)));
    const before = await sumsOf(show);
    expect(before.days).toEqual([{ day: today, downloads: 1, listeners: 1 }]);
    await recount(underNewRules('AntennaPod/3.4'), { from: today, to: today });
    expect((await sumsOf(show)).days).toEqual([]);
    await recount(test.ctx, { from: today, to: today });
    expect(await sumsOf(show)).toEqual(before);
  });

  it('a recount counts the other shows when one is gone that had downloads', async () => {
    const [gone, left] = [await makeShow(test.ctx), await makeShow(test.ctx)];
    await ingest(
      test.ctx,
      makeAudioRequest(test.ctx, gone),
      makeAudioRequest(test.ctx, left, { userAgent: 'two' }),
    );
    await test.database.pool.query('delete from podcasts where id = $1', [gone.podcastId]);
    await recount(underNewRules(), { from: today, to: today });
    expect((await sumsOf(left)).values).toContainEqual({
      dimension: 'apps',
      day: today,
      value: 'new two',
      downloads: 1,
    });
    expect((await sumsOf(gone)).days).toEqual([]);
  });

  // COUNT-16
  it('leaves days without evidence as they are, and names them', async () => {
    const show = await makeShow(test.ctx);
    const old = new Date(test.clock.now().getTime() - 3 * dayMs);
    await ingest(test.ctx, makeAudioRequest(test.ctx, show, { at: old }));
    const { skipped } = await recount(underNewRules('AntennaPod/3.4'), {
      from: '2026-03-07',
      to: today,
    });
    expect(skipped).toEqual(['2026-03-07']);
    expect((await sumsOf(show)).days).toEqual([{ day: '2026-03-07', downloads: 1, listeners: 1 }]);
  });

  // COUNT-16
  it.each([
    ['of such days alone', { from: '2026-01-01', to: '2026-01-31' }],
    ['that ends before it begins', { from: today, to: '2026-03-09' }],
    ['of ten thousand days', { from: '2000-01-01', to: today }],
  ])('a recount is refused for a range %s', async (_, range) => {
    await expect(recount(test.ctx, range)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('a recount after any change of rules equals a fresh count by the new rules', async () => {
    const agents = ['one', 'two', 'three'];
    const drawn = fc.record({
      day: fc.constantFrom(-2, -1, 0),
      episode: fc.constantFrom(0, 1),
      client: fc.constantFrom(0, 1, 2),
      second: fc.nat(3),
      source: fc.constantFrom('feed' as const, 'player' as const),
      start: fc.nat(60),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { maxLength: 30 }),
        fc.subarray(agents),
        fc.subarray(agents),
        async (requests, bots, botsLater) => {
          const [recounted, fresh] = [await makeShow(test.ctx), await makeShow(test.ctx)];
          const forShow = (show: Show) =>
            requests.map(({ day, episode, client, second, source, start }) =>
              makeAudioRequest(test.ctx, show, {
                at: new Date(test.clock.now().getTime() + day * dayMs - second * 1_000),
                episodeId: show.episodeIds[episode as 0],
                listener: String(client).repeat(32),
                userAgent: agents[client]!,
                source,
                audio: [{ start, end: start + 59 }],
              }),
            );
          await ingest(underNewRules(...bots), ...forShow(recounted));
          await recount(underNewRules(...botsLater), { from: '2026-03-08', to: today });
          await ingest(underNewRules(...botsLater), ...forShow(fresh));
          const nameless = async (show: Show) =>
            JSON.parse(
              JSON.stringify(await sumsOf(show))
                .replaceAll(show.episodeIds[0], 'one')
                .replaceAll(show.episodeIds[1], 'two'),
            );
          expect(await nameless(recounted)).toEqual(await nameless(fresh));
        },
      ),
      { numRuns: propertyRuns(process.env['TEST_DATABASE'] === 'postgres' ? 20 : 10) },
    );
  });
});

it('the months of a podcast are the sums of their days, whatever is counted, recounted or deleted', async () => {
  const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-28', '2026-03-08', today];
  const agents = ['one', 'two', 'three'];
  const batch = fc.record({
    requests: fc.array(
      fc.record({
        day: fc.constantFrom(...days, '2026-04-01'),
        episode: fc.constantFrom(0 as const, 1 as const),
        client: fc.nat(2),
        bytes: fc.constantFrom(50, 100),
      }),
      { minLength: 1, maxLength: 20 },
    ),
    bots: fc.subarray(agents),
    deletes: fc.boolean(),
  });
  const differences = `select coalesce(m.podcast_id, d.podcast_id), m.month, m.downloads, d.downloads
    from podcast_download_months m full join (
      select podcast_id, date_trunc('month', day::timestamp)::date as month, sum(downloads) as downloads
      from podcast_download_days group by 1, 2) d using (podcast_id, month)
    where m.downloads is distinct from d.downloads`;
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      const shows = [await makeShow(test.ctx), await makeShow(test.ctx)];
      for (const { requests, bots, deletes } of batches) {
        const made = requests.map(({ day, episode, client, bytes }, n) => {
          const show = shows[n % shows.length]!;
          return makeAudioRequest(test.ctx, show, {
            at: new Date(`${day}T12:00Z`),
            episodeId: show.episodeIds[episode],
            listener: String(client).repeat(32),
            userAgent: agents[client]!,
            audio: [{ start: 0, end: bytes - 1 }],
          });
        });
        const { counted: more } = await ingest(underNewRules(...bots), ...made);
        counted += more;
        await recount(underNewRules(), { from: '2026-03-08', to: today });
        if (deletes)
          await test.database.pool.query('delete from podcasts where id = $1', [
            shows[0]!.podcastId,
          ]);
        expect((await test.database.pool.query(differences)).rows).toEqual([]);
      }
    }),
    { numRuns: propertyRuns(process.env['TEST_DATABASE'] === 'postgres' ? 10 : 5) },
  );
  expect(counted).toBeGreaterThan(0);
});
