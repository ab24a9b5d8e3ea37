import { expect, it } from 'vitest';
import { createTestContext } from '../../../test/create-test-context.ts';
import { makePodcast } from '../../../test/make.ts';
import type { NewestEpisode, PublicPodcast } from '../../domain/public/catalogue/index.ts';
import type { HttpContext } from '../http-context.ts';
import { LargeBuilds } from '../limits/large-builds.ts';
import { cachedText } from './cached.ts';
import { PodcastCache } from './podcast-cache.ts';
import { createPublicPodcastReader } from './public-podcast-reader.ts';

it('a response is kept even if others have displaced its show meanwhile', async () => {
  await using test = await createTestContext();
  const { ctx } = test;
  const nowMs = () => ctx.clock.now().getTime();
  const shows = new PodcastCache<PublicPodcast>({ maxBytes: 5_000, nowMs });
  const newest = new PodcastCache<NewestEpisode | undefined>({ maxBytes: 5_000, nowMs });
  const payloads = new PodcastCache({ maxBytes: 1_000_000, nowMs });
  const podcasts = createPublicPodcastReader(ctx, { shows, newest });
  const largeBuilds = new LargeBuilds();
  const http = { podcasts, payloads, largeBuilds } as unknown as HttpContext;
  const all = [];
  for (let n = 0; n < 5; n += 1) all.push(await makePodcast(ctx));
  const [first, ...others] = all;
  const show = await podcasts.find(first?.id ?? '');
  const displace = async () => {
    for (const { id } of others) await podcasts.find(id);
    expect(shows.peek(show.id)).toBeUndefined();
  };
  await displace();
  const response = await cachedText(http, show, 'text', 'text/plain', async () => {
    await displace();
    return 'text';
  });
  expect(response.kind === 'cached' && response.entry.isLive(nowMs())).toBe(true);
  shows.drop(show.id);
  expect(podcasts.isCurrent(show)).toBe(false);
});
