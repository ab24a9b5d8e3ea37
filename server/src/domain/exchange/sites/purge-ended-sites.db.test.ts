import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { SiteReader } from '../../../../test/site-reader.ts';
import { deleteEpisode } from '../../publishing/episodes/index.ts';
import { endConnection, purgeEndedSitesJob, reportPost } from './index.ts';
import { maxEndedSites } from './site.ts';

let test: TestContext;
let owner: Awaited<ReturnType<typeof makeUser>>;
let show: Awaited<ReturnType<typeof makePodcast>>;
let episode: Awaited<ReturnType<typeof makeEpisode>>;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner });
  episode = await makeEpisode(test.ctx, show, { publishedAt: test.clock.now() });
});

const dayMs = 86_400_000;
const query = async (text: string, ...values: unknown[]) =>
  (await test.database.pool.query(text, values)).rows;
const purge = (signal: Pick<AbortSignal, 'throwIfAborted'> = new AbortController().signal) =>
  purgeEndedSitesJob.run(test.ctx, {}, { signal, enqueue: async () => undefined } as never);
const end = (siteId: string) => endConnection(test.ctx, siteId);
const siteIds = async () =>
  (await query('select id from sites where user_id = $1', owner.id)).map(({ id }) => id);

/** A site that has read its feed and reported its post. */
async function makeUsedSite() {
  const site = await makeSite(test.ctx, owner, [show]);
  await new SiteReader(site).catchUp();
  const post = { episodeId: episode.id, postUrl: `${site.siteUrl}p/`, wpPostId: 1 } as const;
  await reportPost(site.ctx, site.siteId, { ...post, state: 'published', contentHash: undefined });
  return site;
}

/** Sites that end now, like this one. */
async function makeEnded(keyId: string, count: number) {
  await query(
    `with made as (
      insert into api_keys select (jsonb_populate_record(k,
        jsonb_build_object('id', gen_random_uuid(), 'revoked_at', $2::timestamptz))).*
      from api_keys k cross join generate_series(1, $3) where k.id = $1 returning id),
    secrets as (
      insert into api_key_secrets (key_id, hash, last_four, created_at, expires_at)
      select id, sha256(id::text::bytea), 'abcd', $2, $2::timestamptz + interval '1 year' from made)
    insert into sites select (jsonb_populate_record(site, jsonb_build_object(
      'id', made.id, 'key_id', made.id, 'site_url', site.site_url || made.id || '/'))).*
    from made cross join sites site where site.key_id = $1`,
    keyId,
    test.clock.now(),
    count,
  );
}

// SITE-44
it('a site is deleted with its changes and posts when a hundred of its user ended later, by whatever that was', async () => {
  const connected = await makeUsedSite();
  const disconnected = await makeUsedSite();
  const expired = await makeUsedSite();
  await query(
    'update api_key_secrets set expires_at = $2 where key_id = $1',
    expired.keyId,
    test.clock.now(),
  );
  await end(disconnected.siteId);
  test.clock.advance(1_000);
  await makeEnded(connected.keyId, maxEndedSites - 2);
  test.clock.advance(365 * dayMs - 2_000);
  await purge();
  expect(await siteIds()).toHaveLength(maxEndedSites + 1);
  await makeEnded(connected.keyId, 2);
  await purge();
  const left = await siteIds();
  expect(left).toHaveLength(maxEndedSites + 1);
  expect(left).toContain(connected.siteId);
  for (const table of ['site_changes', 'site_posts', 'site_podcasts', 'site_calls']) {
    const of = [disconnected.siteId, connected.siteId, expired.siteId];
    const rows = await query(`select site_id as id from ${table} where site_id = any ($1)`, of);
    expect(rows, table).toEqual([{ id: connected.siteId }]);
  }
});

it('a site that is connected again while it is deleted gets all episodes again', async () => {
  // Those of other tests, which would be deleted first.
  await query('delete from sites');
  const site = await makeUsedSite();
  const reader = new SiteReader(site);
  await reader.catchUp();
  // More than one piece.
  await query(
    `insert into site_changes (site_id, podcast_id, episode_id, seq, reason, changed_at)
     select $1, $2, gen_random_uuid(), 1000 + n, 'deleted', $3 from generate_series(1, 2500) n`,
    site.siteId,
    show.id,
    test.clock.now(),
  );
  await query('update sites set head_seq = 3500 where id = $1', site.siteId);
  await end(site.siteId);
  test.clock.advance(1_000);
  await makeEnded(site.keyId, maxEndedSites);
  let pieces = 0;
  const stopAfterTwo = {
    throwIfAborted() {
      pieces += 1;
      if (pieces > 2) throw new Error('stopped');
    },
  };
  await expect(purge(stopAfterTwo)).rejects.toThrow('stopped');
  const changes = 'select from site_changes where site_id = $1';
  expect((await query(changes, site.siteId)).length).toBe(501);
  await query('delete from site_changes where episode_id = $1', episode.id);
  const again = await makeSite(test.ctx, owner, [show], site);
  expect(again.siteId).toBe(site.siteId);
  await purge();
  const rereader = new SiteReader(again);
  await rereader.catchUp();
  expect([...rereader.held.keys()]).toEqual([episode.id]);
  await deleteEpisode(test.ctx, episode.id);
  expect(await rereader.catchUp()).toMatchObject([{ episodeId: episode.id, reason: 'deleted' }]);
});
