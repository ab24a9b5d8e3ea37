import { expect, it } from 'vitest';
import { createTestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import { addPerson } from '../../../publishing/people/index.ts';
import { reconcileSite } from './reconcile-site.ts';

it('reports changes during a comparison of all episodes after its end', async () => {
  await using test = await createTestContext();
  const { ctx } = test;
  const owner = await makeUser(ctx);
  const show = await makePodcast(ctx, { owner });
  const first = await makeEpisode(ctx, show);
  for (let at = 0; at < 110; at += 1) await makeEpisode(ctx, show);
  const site = new SiteReader(await makeSite(ctx, owner, [show]));
  await site.catchUp();

  // Changes no episode, but makes the feed compare all of them.
  await addPerson(ctx, { podcastId: show.id, name: 'Ana', roster: false });
  expect((await reconcileSite(ctx, site.siteId)).isBehind).toBe(true);
  await updateEpisode(ctx, first.id, { title: 'Late' });

  const { isBehind } = await reconcileSite(ctx, site.siteId);
  expect(isBehind).toBe(true);
  expect(await site.read()).toMatchObject([{ episode: { title: 'Late' } }]);
  expect((await reconcileSite(ctx, site.siteId)).isBehind).toBe(false);
});
