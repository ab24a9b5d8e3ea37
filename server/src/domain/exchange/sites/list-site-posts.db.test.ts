import { expect, it } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { SiteReader } from '../../../../test/site-reader.ts';
import { unpublishEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import { addMember, removeMember } from '../../publishing/podcasts/index.ts';
import { disconnectSite, listSitePosts, reportPost } from './index.ts';

it('names an unpublished episode only to users who still administer its show', async () => {
  await using test = await createTestContext();
  const { ctx } = test;
  const show = await makePodcast(ctx);
  const admin = await makeUser(ctx);
  const member = { podcastId: show.id, userId: admin.id };
  await addMember(ctx, { ...member, role: 'admin' });
  const { id: episodeId } = await makeEpisode(ctx, show, { title: 'Public' });
  const site = await makeSite(ctx, admin, [show]);
  const reader = new SiteReader(site);
  await reader.catchUp();
  const { siteId, siteUrl } = site;
  const post = { postUrl: `${siteUrl}one/`, wpPostId: 1, contentHash: undefined };
  await reportPost(site.ctx, siteId, { ...post, episodeId, state: 'published' });
  await unpublishEpisode(ctx, episodeId);
  await reader.catchUp();
  await disconnectSite(site.ctx, siteId);
  await updateEpisode(ctx, episodeId, { title: 'Secret' });

  const asAdmin = test.contextFor({ kind: 'user', userId: admin.id });
  const titles = async () =>
    (await listSitePosts(asAdmin, siteId, { limit: 10 })).items.map(({ title }) => title);
  expect(await titles()).toEqual(['Secret']);
  await removeMember(ctx, member);
  expect(await titles()).toEqual([null]);
});
