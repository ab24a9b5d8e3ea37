import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import type { HttpContext } from '../http-context.ts';
import { LargeBuilds } from '../limits/large-builds.ts';
import { cachedText } from './cached.ts';
import { PodcastCache } from './podcast-cache.ts';

it('the turn of a large response lasts until it is compressed', async () => {
  const http = {
    largeBuilds: new LargeBuilds(),
    payloads: new PodcastCache({ maxBytes: 100_000_000, nowMs: () => 0 }),
    podcasts: { isCurrent: () => true },
  } as unknown as HttpContext;
  const show = { id: 'one', nextChangeAt: null } as unknown as PublicPodcast;
  const begun: string[] = [];
  const build = (name: string) =>
    cachedText(http, show, name, 'text/plain', async () => {
      begun.push(name);
      return 'word '.repeat(1_000_000);
    }).finally(() => begun.push(`${name} ended`));
  const builds = ['first', 'second'].map(build);
  // Both have made their texts. One waits: a show never has all places.
  await setImmediate();
  using third = http.largeBuilds.begin('one');
  const grown = third.grow(1_000_000).then(() => begun.push('third'));
  await Promise.all([...builds, grown]);
  expect(begun.slice(0, 3)).toEqual(['first', 'second', 'first ended']);
});
