import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { findPublicPodcast, getEpisodeForPage, type PublicPodcast } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('the episodes before and after another', () => {
  it('the episodes before and after another are the nearest public ones, read in one statement', async () => {
    const { ctx } = test;
    const podcast = await makePodcast(ctx);
    const at = (minutes: number) =>
      new Date(ctx.clock.now().getTime() - 3_600_000 + minutes * 60_000);
    const make = (slug: string, minutes: number) =>
      makeEpisode(ctx, podcast, { slug, title: `The ${slug}`, publishedAt: at(minutes) });
    await make('second', 2);
    await make('first', 1);
    // At the same moment, ids decide, as in lists.
    await make('third', 3);
    await make('fourth', 3);
    await makeEpisode(ctx, podcast, { slug: 'draft', status: 'draft' });
    await make('soon', 59);
    await makeEpisode(ctx, await makePodcast(ctx), { publishedAt: at(2) });
    test.clock.set(at(58));
    const show = (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast;
    const counted = countStatements(ctx);
    const around = async (slug: string) => {
      const { previous, next } = await getEpisodeForPage(counted.ctx, show, slug);
      return [previous?.slug, next?.slug];
    };
    expect(await around('first')).toEqual([undefined, 'second']);
    expect(await around('second')).toEqual(['first', 'third']);
    expect(await around('third')).toEqual(['second', 'fourth']);
    expect(await around('fourth')).toEqual(['third', undefined]);
    expect(counted.count()).toBe(4);
    const { previous } = await getEpisodeForPage(ctx, show, 'second');
    expect(previous).toEqual({ slug: 'first', title: 'The first' });
  });
});
