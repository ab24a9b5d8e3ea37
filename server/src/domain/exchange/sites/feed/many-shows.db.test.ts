import { afterAll, beforeAll, expect, it } from 'vitest';
import { countStatements } from '../../../../../test/count-statements.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { reconcileSite } from './reconcile-site.ts';

const showCount = 45;
/** Of one transaction: a show counts as five episodes at least, and it ends after 100. */
const showsAtOnce = 20;

let test: TestContext;
let owner: Awaited<ReturnType<typeof makeUser>>;
beforeAll(async () => {
  test = await createTestContext();
  owner = await makeUser(test.ctx);
  for (let n = 0; n < showCount; n += 1) await makePodcast(test.ctx, { owner });
});
afterAll(() => test[Symbol.asyncDispose]());

const countCompared = async (siteId: string, settings: string) => {
  const { rowCount } = await test.database.pool.query(
    'select from site_podcasts where site_id = $1 and common_hash not like $2',
    [siteId, `${settings}%`],
  );
  return rowCount;
};

// SITE-23
it('many shows without episodes are compared in several transactions, each of which continues', async () => {
  const site = await makeSite(test.ctx, owner);
  const { siteId } = site;
  // The first one only notes the server.
  await reconcileSite(test.ctx, siteId);
  let before = 'none';
  for (const transcripts of [false, true]) {
    if (transcripts) await makeSite(test.ctx, owner, undefined, { ...site, transcripts });
    for (const compared of [showsAtOnce, 2 * showsAtOnce, showCount]) {
      const counted = countStatements(test.ctx);
      const { isBehind } = await reconcileSite(counted.ctx, siteId);
      expect([isBehind, await countCompared(siteId, before)]).toEqual([
        compared < showCount,
        compared,
      ]);
      expect(counted.count()).toBeLessThan(8 * showsAtOnce);
    }
    const { rows } = await test.database.pool.query(
      'select distinct common_hash as hash from site_podcasts where site_id = $1',
      [siteId],
    );
    before = rows[0].hash.split('.')[0];
  }
});

it('one call of the feed compares all of many shows without episodes', async () => {
  const site = await makeSite(test.ctx, owner);
  expect(await new SiteReader(site).read()).toEqual([]);
  expect(await countCompared(site.siteId, 'none')).toBe(showCount);
});
