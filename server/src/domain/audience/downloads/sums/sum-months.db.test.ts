import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow, type Show } from '../../../../../test/downloads.ts';
import { type AudioRequest, sumMonths } from '../index.ts';

let test: TestContext;
let show: Show;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  show = await makeShow(test.ctx);
});

let listeners = 0;
const request = (day: string, input: Partial<AudioRequest> = {}) => {
  listeners += 1;
  const listener = String(listeners).padStart(32, '0');
  return makeAudioRequest(test.ctx, show, { at: new Date(`${day}T12:00Z`), listener, ...input });
};

const rows = async (text: string) => (await test.database.pool.query(text, [show.podcastId])).rows;
const monthsSummed = async () =>
  (
    await rows(`select month::text from episode_download_months
      where podcast_id = $1 and has_dimensions order by month`)
  ).map(({ month }) => month);
/** Of the months that are said to be summed, by value: from their sums, and from their days. */
const kept = () =>
  rows(`select s.episode_id, s.dimension, s.month::text, s.value, s.downloads
    from episode_download_dimension_months s join episode_download_months m using (episode_id, month)
    where s.podcast_id = $1 and has_dimensions order by 1, 2, 3, 4`);
const expected = () =>
  rows(`select d.episode_id, dimension.key as dimension, month::text, of_value.key as value,
      sum(of_value.value::bigint)::bigint as downloads
    from episode_download_breakdowns d, jsonb_each(counts) as dimension,
      jsonb_each_text(dimension.value) as of_value, episode_download_months m
    where d.podcast_id = $1 and has_dimensions and m.episode_id = d.episode_id
      and m.month = date_trunc('month', d.day::timestamp)::date
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`);

it('months are summed when they can no longer be revised', async () => {
  await ingest(test.ctx, request('2026-01-31'), request('2026-02-01'), request('2026-03-10'));
  test.clock.set(new Date('2026-03-02T10:00Z'));
  await sumMonths(test.ctx);
  expect(await monthsSummed()).toEqual(['2026-01-01']);
  test.clock.set(new Date('2026-03-03T10:00Z'));
  await sumMonths(test.ctx);
  expect(await monthsSummed()).toEqual(['2026-01-01', '2026-02-01']);
  expect(await kept()).toEqual(await expected());
  expect(await kept()).toContainEqual({
    episode_id: show.episodeIds[0],
    dimension: 'countries',
    month: '2026-02-01',
    value: 'DE',
    downloads: 1,
  });
});

it('a month that changes later is read by days until it is summed again', async () => {
  const early = request('2026-01-15', { country: 'FR' });
  await ingest(test.ctx, early, request('2026-01-20'), request('2025-12-24'));
  await sumMonths(test.ctx);
  // It was earlier, from another country: one download moves, and their number stays.
  await ingest(test.ctx, { ...early, at: new Date('2026-01-15T11:00Z'), source: 'player' });
  expect(await monthsSummed()).toEqual(['2025-12-01']);
  await sumMonths(test.ctx);
  expect(await monthsSummed()).toEqual(['2025-12-01', '2026-01-01']);
  expect(await kept()).toEqual(await expected());
  const sources = (await kept()).filter(({ dimension }) => dimension === 'sources');
  expect(sources.map(({ month, value }) => [month, value])).toEqual([
    ['2025-12-01', 'feed'],
    ['2026-01-01', 'feed'],
    ['2026-01-01', 'player'],
  ]);
});

it('batches and sums of months may run at once, in any order', async () => {
  const days = ['2025-10-05', '2025-11-06', '2025-12-07', '2026-01-08'];
  const [episodeId] = [show.episodeIds[1]];
  const work = Array.from({ length: 12 }, (_, at) => [
    ingest(test.ctx, ...days.map((day) => request(day, at % 2 === 0 ? {} : { episodeId }))),
    sumMonths(test.ctx),
  ]);
  await Promise.all(work.flat());
  expect(await kept()).toEqual(await expected());
  await sumMonths(test.ctx);
  expect(await monthsSummed()).toHaveLength(8);
  expect(await kept()).toEqual(await expected());
});

it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'a month is left out while its show is deleted',
  async () => {
    await ingest(test.ctx, request('2026-01-15'));
    const deleting = await test.database.pool.connect();
    try {
      await deleting.query('begin');
      await deleting.query('select from podcasts where id = $1 for update', [show.podcastId]);
      await sumMonths(test.ctx);
      expect(await monthsSummed()).toEqual([]);
    } finally {
      await deleting.query('rollback');
      deleting.release();
    }
    await sumMonths(test.ctx);
    expect(await monthsSummed()).toEqual(['2026-01-01']);
  },
);
