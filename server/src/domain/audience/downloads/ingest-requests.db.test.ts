import fc from 'fast-check';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countDownloads } from '../../../../test/count-downloads.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeAudioRequest, makeShow, type Show } from '../../../../test/downloads.ts';
import { propertyRuns } from '../../../../test/property-runs.ts';
import { longestTaskMs } from '../../../../test/watch-event-loop.ts';
import { chunksOf } from '../../../lib/chunks-of.ts';
import { newId } from '../../../lib/uuid.ts';
import { transact } from '../../foundation/context.ts';
import type { AudioRequest } from './audio-request.ts';
import { ingestRequests, recount } from './index.ts';
import { ingestBatches } from './ingest-requests.ts';
import { selectReceipts } from './receipts/receipts.sql.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const makeRequest = (show: Show, input?: Partial<AudioRequest>) =>
  makeAudioRequest(test.ctx, show, input);
const ingest = (requests: readonly AudioRequest[], id = newId()) =>
  ingestRequests(test.ctx, { id, requests });

async function query<T>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await test.database.pool.query(text, values)).rows;
}
const daysOf = ({ podcastId }: Show) =>
  query(
    `select day::text, downloads, listeners from podcast_download_days
      where podcast_id = $1 order by day`,
    podcastId,
  );
const valuesOf = ({ podcastId }: Show, dimension: string) =>
  query<{ value: string; downloads: number }>(
    `select value, sum(downloads)::int as downloads from podcast_download_dimensions
      where podcast_id = $1 and dimension = $2 and downloads <> 0 group by value order by value`,
    podcastId,
    dimension,
  );

describe('ingesting requests', () => {
  // COUNT-5, COUNT-6
  it('makes a download of sixty seconds that come in several requests and batches', async () => {
    const show = await makeShow(test.ctx);
    const first = await ingest([makeRequest(show, { audio: [{ start: 0, end: 49 }] })]);
    expect(first).toEqual({
      ...{ newBatches: 1, requests: 1, counted: 0, rejected: {}, alreadyCounted: 0 },
      withoutDetails: 0,
    });
    // A byte that is delivered again does not count again.
    expect(await ingest([makeRequest(show, { audio: [{ start: 10, end: 98 }] })])).toMatchObject({
      counted: 0,
    });
    expect(await ingest([makeRequest(show, { audio: [{ start: 99, end: 99 }] })])).toMatchObject({
      counted: 1,
    });
    expect(await ingest([makeRequest(show)])).toMatchObject({ counted: 0 });
    expect(await daysOf(show)).toEqual([{ day: '2026-03-10', downloads: 1, listeners: 1 }]);
  });

  it('changes nothing when a batch comes again', async () => {
    const show = await makeShow(test.ctx);
    const [request, id] = [makeRequest(show), newId()];
    expect(await ingest([request], id)).toMatchObject({ newBatches: 1, counted: 1 });
    expect(await ingest([request], id)).toMatchObject({ newBatches: 0, counted: 0 });
    const evidence = await query(
      'select 1 from download_requests where podcast_id = $1',
      show.podcastId,
    );
    expect(evidence).toHaveLength(1);
  });

  it('ingesting requests is undone with the transaction around it', async () => {
    const show = await makeShow(test.ctx);
    const [request, id] = [makeRequest(show), newId()];
    const failed = transact(test.ctx, async (tx) => {
      await ingestRequests(tx, { id, requests: [request] });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await daysOf(show)).toEqual([]);
    expect(await ingest([request], id)).toMatchObject({ newBatches: 1, counted: 1 });
  });

  // STAT-15
  it('counts a listener of two episodes once among the listeners of the show', async () => {
    const show = await makeShow(test.ctx);
    const [one, two] = show.episodeIds;
    await ingest([makeRequest(show, { episodeId: one! })]);
    await ingest([makeRequest(show, { episodeId: two! })]);
    expect(await daysOf(show)).toEqual([{ day: '2026-03-10', downloads: 2, listeners: 1 }]);
  });

  // COUNT-7
  it('keeps requests of rejected clients, and the number of those that can never count', async () => {
    const show = await makeShow(test.ctx);
    const ingested = await ingest([
      makeRequest(show, { refusal: 'probe' }),
      makeRequest(show, { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }),
      makeRequest(show, { network: 16509 }),
    ]);
    expect(ingested.rejected).toEqual({ probe: 1, bot: 1, data_center: 1 });
    expect(ingested.counted).toBe(0);
    const evidence = await query<{ rejected: string }>(
      'select rejected from download_requests where podcast_id = $1 order by rejected',
      show.podcastId,
    );
    expect(evidence.map(({ rejected }) => rejected)).toEqual(['bot', 'data_center']);
    const united = await ingest([makeRequest(show, { refusal: 'probe', requests: 2 })]);
    expect(united.rejected).toEqual({ probe: 2 });
    const sums = 'select rejected, requests from download_request_sums where podcast_id = $1';
    expect(await query(sums, show.podcastId)).toEqual([{ rejected: 'probe', requests: 3 }]);
  });

  it('takes source and referrer from the earliest request, whichever comes first', async () => {
    const show = await makeShow(test.ctx);
    await ingest([makeRequest(show)]);
    expect(await valuesOf(show, 'sources')).toEqual([{ value: 'feed', downloads: 1 }]);
    const at = new Date(test.clock.now().getTime() - 1);
    await ingest([makeRequest(show, { at, source: 'player', referrer: 'a.example' })]);
    expect(await valuesOf(show, 'sources')).toEqual([{ value: 'player', downloads: 1 }]);
    expect(await valuesOf(show, 'referrers')).toEqual([{ value: 'a.example', downloads: 1 }]);
  });

  it('names at most 1,000 referrers of a show and day, and counts the rest as one', async () => {
    const show = await makeShow(test.ctx);
    const from = (n: number, at = test.clock.now()) => {
      const listener = String(n).padStart(32, '0');
      return makeRequest(show, { at, listener, referrer: `${n}.example` });
    };
    const figures = async () => {
      const referrers = await valuesOf(show, 'referrers');
      const sum = (rows: typeof referrers) => rows.reduce((all, row) => all + row.downloads, 0);
      const other = referrers.filter(({ value }) => value === 'other');
      const [{ ofEpisodes, ofMonths } = { ofEpisodes: 0, ofMonths: 0 }] = await query<{
        ofEpisodes: number;
        ofMonths: number;
      }>(
        `select (select count(*)::int
            from episode_download_breakdowns, jsonb_each(counts -> 'referrers')
            where podcast_id = $1) as "ofEpisodes",
          (select count(*)::int from podcast_download_dimension_months
            where podcast_id = $1 and dimension = 'referrers') as "ofMonths"`,
        show.podcastId,
      );
      return { all: sum(referrers), other: sum(other), ofEpisodes, ofMonths };
    };
    await ingest(Array.from({ length: 999 }, (_, n) => from(n)));
    // The last place is for the host with most downloads.
    const [popular, rare] = [from(999), from(998_000)];
    const twice = { ...popular, listener: 'f'.repeat(32) };
    await ingest([rare, popular, twice]);
    expect(await valuesOf(show, 'referrers')).toContainEqual({
      value: '999.example',
      downloads: 2,
    });
    await ingest([from(1_001)]);
    expect(await figures()).toEqual({ all: 1_003, other: 2, ofEpisodes: 1_001, ofMonths: 1_001 });
    // Listeners of a named host and of an unnamed one turn out to have come from elsewhere before.
    const earlier = new Date(test.clock.now().getTime() - 1);
    await ingest(
      [from(0, earlier), from(1_001, earlier)].map((one) => ({ ...one, referrer: null })),
    );
    const rows = { ofEpisodes: 1_000, ofMonths: 1_001 };
    expect(await figures()).toEqual({ all: 1_001, other: 1, ...rows });
    const today = '2026-03-10';
    await recount(test.ctx, { from: today, to: today });
    expect(await figures()).toEqual({ all: 1_001, other: 1, ...rows });
  });

  it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
    'counts the places of referrers once, and not for each of them',
    async () => {
      const show = await makeShow(test.ctx);
      const from = (n: number) => {
        const listener = String(n).padStart(32, '0');
        return makeRequest(show, { listener, referrer: `${n}.example` });
      };
      await ingest(Array.from({ length: 1_000 }, (_, n) => from(n)));
      const requests = Array.from({ length: 20_000 }, (_, n) => from(n + 1_000));
      // Counted again for each of them, they take many times as long.
      const inTime = transact(test.ctx, async (tx) => {
        await sql`set local statement_timeout = '2s'`.execute(tx.db);
        return await ingestRequests(tx, { id: newId(), requests });
      });
      expect(await inTime).toMatchObject({ counted: 20_000 });
    },
  );

  it('gives each day that can be revised a partition, and the listeners of old days one together', async () => {
    const show = await makeShow(test.ctx);
    const yesterday = new Date(test.clock.now().getTime() - 86_400_000);
    await ingest([makeRequest(show, { at: yesterday }), makeRequest(show, { at: new Date(0) })]);
    const places = await query(
      `select tableoid::regclass::text as place from download_listeners
        where podcast_id = $1 order by day`,
      show.podcastId,
    );
    expect(places).toEqual([
      { place: 'download_listeners_old_other' },
      { place: 'download_listeners_2026_03_09' },
    ]);
  });

  it('refuses requests from the future', async () => {
    const show = await makeShow(test.ctx);
    const at = new Date(test.clock.now().getTime() + 3 * 86_400_000);
    expect(await ingest([makeRequest(show, { at })])).toMatchObject({ rejected: { future: 1 } });
  });

  it('counts requests of tomorrow, because clocks differ', async () => {
    const show = await makeShow(test.ctx);
    const at = new Date(test.clock.now().getTime() + 86_400_000);
    expect(await ingest([makeRequest(show, { at })])).toMatchObject({ counted: 1, rejected: {} });
  });

  it('ingesting requests ignores those for a show that is gone', async () => {
    const show: Show = { podcastId: newId(), episodeIds: [newId(), newId()] };
    expect(await ingest([makeRequest(show)])).toMatchObject({
      newBatches: 1,
      counted: 0,
    });
  });

  it('stores ranges in bounded space', async () => {
    const show = await makeShow(test.ctx);
    const scattered = (from: number) =>
      Array.from({ length: 1_500 }, (_, index) => {
        const start = (from + index) * 10;
        return makeRequest(show, { neededBytes: 1_000_000, audio: [{ start, end: start + 2 }] });
      });
    for (const from of [0, 1_500, 3_000, 4_500]) await ingest(scattered(from));
    const [row] = await query<{ pieces: number }>(
      `select (select count(*) from unnest(audio))::int as pieces from download_listeners
        where podcast_id = $1`,
      show.podcastId,
    );
    expect(row?.pieces).toBe(200);
  });
});

it('a listener who scatters requests does not block the event loop', async () => {
  const show = await makeShow(test.ctx);
  const scattered = Array.from({ length: 3_000 }, (_, n) =>
    makeRequest(show, { neededBytes: 1_000_000, audio: [{ start: n * 10, end: n * 10 + 2 }] }),
  );
  expect(await longestTaskMs(() => ingest(scattered))).toBeLessThan(50);
});

it('the receipts of a listener are read whole or not at all', async () => {
  const show = await makeShow(test.ctx);
  const [request, day] = [makeRequest(show), '2026-03-10'];
  await ingest([request, makeRequest(show, { episodeId: show.episodeIds[1] })]);
  const read = (atMost: number) =>
    selectReceipts(test.ctx.db, day, [{ ...request, day }], { atMost });
  expect(await read(2)).toMatchObject([[{ isCounted: true }, { isCounted: true }]]);
  expect(await read(1)).toBeUndefined();
});

describe('a listener of many episodes', () => {
  const listener = 'd'.repeat(32);

  it('a listener of many episodes is read only for the episodes that it requests again', async () => {
    const show = await makeShow(test.ctx);
    const ofEpisode = (episodeId = newId()) => makeRequest(show, { listener, episodeId });
    await ingest(Array.from({ length: 2_500 }, () => ofEpisode()));
    let rowsRead = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rowsRead += result.rows.length;
        return result;
      },
    };
    const ctx = { ...test.ctx, db: test.ctx.db.withPlugin(counting) };
    const id = newId();
    await ingestRequests(ctx, { id, requests: [ofEpisode(show.episodeIds[0])] });
    // A read that finds many stops at 1,001.
    expect(rowsRead).toBeLessThan(1_100);
    expect(await daysOf(show)).toMatchObject([{ downloads: 2_501, listeners: 1 }]);
  });

  it('a listener of many episodes is a listener also if the last one is no download', async () => {
    const show = await makeShow(test.ctx);
    const ofEpisode = (more: Partial<AudioRequest> = {}) =>
      makeRequest(show, { listener, episodeId: newId(), ...more });
    // One more than are merged at once.
    const whole = Array.from({ length: 1_000 }, () => ofEpisode());
    await ingest([...whole, ofEpisode({ audio: [{ start: 0, end: 9 }] })]);
    expect(await daysOf(show)).toMatchObject([{ downloads: 1_000, listeners: 1 }]);
  });

  it('a listener of many episodes is a listener until a recount has taken its last download', async () => {
    const show = await makeShow(test.ctx);
    const userAgent = 'Castbox/11.2.1';
    const requests = Array.from({ length: 2_500 }, () =>
      makeRequest(show, { listener, userAgent, episodeId: newId() }),
    );
    await ingest(requests);
    await test.database.pool.query(
      `update download_requests set audio = '{}' where podcast_id = $1`,
      [show.podcastId],
    );
    await recount(test.ctx, { from: '2026-03-10', to: '2026-03-10' });
    expect(await daysOf(show)).toMatchObject([{ downloads: 0, listeners: 0 }]);
  });
});

describe('many requests do not block the event loop', () => {
  const ingestMany = (requests: Iterable<AudioRequest>) =>
    ingestBatches(test.ctx, function* () {
      for (const some of chunksOf(requests, 2_000)) yield { id: newId(), requests: some };
    });

  it('many requests do not block the event loop of few listeners, for many episodes each', async () => {
    const show = await makeShow(test.ctx);
    const episodeIds = Array.from({ length: 10_000 }, () => newId());
    function* requests() {
      for (const listener of ['a', 'b', 'c'].map((digit) => digit.repeat(32)))
        for (const episodeId of episodeIds) yield makeRequest(show, { listener, episodeId });
    }
    expect(await longestTaskMs(() => ingestMany(requests()))).toBeLessThan(50);
    expect(await daysOf(show)).toMatchObject([{ downloads: 30_000, listeners: 3 }]);
  });

  it('many requests do not block the event loop from many sites', async () => {
    const show = await makeShow(test.ctx);
    function* requests() {
      for (let n = 0; n < 20_000; n += 1) {
        const listener = newId().replaceAll('-', '');
        yield makeRequest(show, { listener, referrer: `${listener}.example` });
      }
    }
    expect(await longestTaskMs(() => ingestMany(requests()), 150)).toBeLessThan(150);
    expect(await valuesOf(show, 'referrers')).toHaveLength(1_001);
  });
});

describe('any requests, in any order and any batches, also given twice', () => {
  const day = fc.constantFrom(-2, -1, 0);
  const arbitrary = fc.record({
    day,
    episode: fc.constantFrom(0, 1),
    listener: fc.constantFrom('a', 'b', 'c'),
    file: fc.constantFrom('0', '1'),
    start: fc.nat(150),
    length: fc.integer({ min: 3, max: 80 }),
    batch: fc.nat(4),
    order: fc.nat(),
  });

  // COUNT-5, COUNT-6
  it('ingested requests give the figures of the reference, in any order and any batches, also if repeated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrary, { maxLength: 40 }), async (drawn) => {
        const show = await makeShow(test.ctx);
        const made = drawn.map(({ day, episode, listener, file, start, length, ...rest }) => ({
          ...rest,
          request: makeRequest(show, {
            at: new Date(test.clock.now().getTime() + day * 86_400_000),
            episodeId: show.episodeIds[episode]!,
            listener: listener.repeat(32),
            file: file.repeat(16),
            audio: [{ start, end: start + length - 1 }],
          }),
        }));
        const shuffled = made.toSorted((a, b) => a.order - b.order);
        const batches = [...Map.groupBy(shuffled, ({ batch }) => batch).entries()];
        const run = newId();
        for (const [name, batch] of [...batches, ...batches])
          await ingest(
            batch.map(({ request }) => request),
            `${run} ${name}`,
          );
        const expected = [...countDownloads(made.map(({ request }) => request))];
        const perDay = Map.groupBy(expected, (download) => download.slice(0, 10));
        const listeners = (downloads: readonly string[]) =>
          new Set(downloads.map((download) => download.split(' ')[2])).size;
        expect(await daysOf(show)).toEqual(
          [...perDay]
            .sort()
            .map(([of, all]) => ({ day: of, downloads: all.length, listeners: listeners(all) })),
        );
        const [{ total } = { total: 0 }] = await query<{ total: number }>(
          `select coalesce(sum(downloads), 0)::int as total from episode_download_totals
            where podcast_id = $1`,
          show.podcastId,
        );
        expect(total).toBe(expected.length);
      }),
      { numRuns: propertyRuns(process.env['TEST_DATABASE'] === 'postgres' ? 30 : 15) },
    );
  });
});
