import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { addPerson } from '../../../publishing/people/index.ts';
import { type PostReport, reportPost } from '../index.ts';
import { maxCandidates } from './followed-shows.sql.ts';
import { mostReconciliations } from './reconcile-site.ts';

/** One request can't compare all of them. */
const episodes = mostReconciliations * maxCandidates + 50;

let test: TestContext;
let show: Awaited<ReturnType<typeof makePodcast>>;
let site: Awaited<ReturnType<typeof makeSite>>;
let reader: SiteReader;
beforeAll(async () => {
  test = await createTestContext();
  const owner = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner });
  await test.database.pool.query(
    `insert into episodes (id, podcast_id, slug, title, description, episode_number, media_name,
       status, published_at, status_changed_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'e-' || n, 'Episode ' || n, 'Text', n, 'e-' || n, 'published',
       day, day, day, day
     from generate_series(1, $2::integer) n
     cross join lateral (select $3::timestamptz - n * interval '1 day' as day) e`,
    [show.id, episodes, test.clock.now()],
  );
  await test.database.pool.query('vacuum analyze episodes');
  site = await makeSite(test.ctx, owner, [show]);
  reader = new SiteReader(site);
  await reader.catchUp();
  expect(reader.held.size).toBe(episodes);
}, 120_000);
afterAll(() => test[Symbol.asyncDispose]());

/** Changes no episode, but makes the feed compare all of them. */
const compareAll = () => addPerson(test.ctx, { podcastId: show.id, name: 'Ana', roster: false });
const report = (episodeId: string) => {
  const post: PostReport = {
    ...{ episodeId, postUrl: `${site.siteUrl}post/`, state: 'published', wpPostId: 1 },
    contentHash: undefined,
  };
  return reportPost(site.ctx, site.siteId, post);
};
const later = { kind: 'service_unavailable', retryAfterSeconds: 1 };

// SITE-23
it('a request for changes that compares for too long is refused; the next one continues', async () => {
  await compareAll();
  await expect(reader.read()).rejects.toMatchObject(later);
  expect(await reader.read()).toEqual([]);
});

// SITE-23
it('a request for changes that compares for long sends what it has found', async () => {
  const { id } = await makeEpisode(test.ctx, show, {
    title: 'Oldest',
    publishedAt: new Date('2001-01-01T00:00:00Z'),
  });
  await compareAll();
  expect(await reader.read()).toMatchObject([{ episodeId: id }]);
  expect(await reader.read()).toEqual([]);
});

// SITE-35
it('a report that would compare for long is refused, and the next one is stored', async () => {
  const { id } = await makeEpisode(test.ctx, show, { publishedAt: test.clock.now() });
  await compareAll();
  await expect(report(id)).rejects.toMatchObject(later);
  expect(await report(id)).toMatchObject({ episodeId: id });
});

// SITE-35
it('a report of a draft compares nothing', async () => {
  const { id } = await makeEpisode(test.ctx, show, { status: 'draft' });
  await compareAll();
  const compared = async () =>
    (
      await test.database.pool.query('select snapshot from site_podcasts where site_id = $1', [
        site.siteId,
      ])
    ).rows;
  const before = await compared();
  await expect(report(id)).rejects.toMatchObject({ kind: 'not_found' });
  expect(await compared()).toEqual(before);
});
