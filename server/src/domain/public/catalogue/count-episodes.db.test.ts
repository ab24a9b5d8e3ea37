import { expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { countEpisodes, findPublicPodcast, type PublicPodcast } from './index.ts';

it('the public episodes of a show are counted once until it is read again', async () => {
  await using test = await createTestContext();
  const { ctx } = test;
  const podcast = await makePodcast(ctx);
  const read = async () => (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast;
  await makeEpisode(ctx, podcast);
  await makeEpisode(ctx, podcast, { status: 'draft' });
  const show = await read();
  expect(await countEpisodes(ctx, show)).toBe(1);
  await makeEpisode(ctx, podcast);
  const counted = countStatements(ctx);
  expect(await countEpisodes(counted.ctx, show)).toBe(1);
  expect(counted.count()).toBe(0);
  expect(await countEpisodes(counted.ctx, await read())).toBe(2);
  expect(counted.count()).toBe(1);
});
