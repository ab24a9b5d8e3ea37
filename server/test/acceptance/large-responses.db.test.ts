import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tables } from '../../src/domain/foundation/database.ts';
import { attachExternalAudio } from '../../src/domain/publishing/audio/index.ts';
import {
  type Episode,
  unpublishEpisode,
  updateEpisode,
} from '../../src/domain/publishing/episodes/index.ts';
import { type Podcast, updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';

// Responses that are too large for the cache: here, all of them.
const payloadCacheBytes = 1_000;

// Only a database server allows a second process.
const onServer = process.env['TEST_DATABASE'] === 'postgres';

let opened: AsyncDisposableStack;
/** Makes the changes. */
let one: TestApp;
let other: TestApp;

beforeAll(async () => {
  opened = new AsyncDisposableStack();
  one = opened.use(await createTestApp({}, { payloadCacheBytes }));
  if (!onServer) return;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const options = { kind: 'server', url: one.databaseUrl ?? '', poolSize: 3, log } as const;
  const database = opened.use(await openDatabase<Tables>(options));
  other = opened.use(await createTestApp({}, { database, clock: one.clock, payloadCacheBytes }));
});
afterAll(() => opened.disposeAsync());

interface Made {
  readonly show: Podcast;
  readonly episode: Episode;
}

const urlsOf = ({ show, episode }: Made) => [
  `/feeds/${show.slug}.xml`,
  `/listen/${show.slug}`,
  `/listen/${show.slug}/${episode.slug}`,
  `/ep/${episode.id}`,
  `/latest/${show.slug}`,
  `/v1/podcasts/${show.slug}`,
  `/v1/podcasts/${show.slug}/episodes`,
  `/v1/podcasts/${show.slug}/episodes/${episode.slug}`,
  `/v1/podcasts/${show.slug}/episodes/latest`,
  `/v1/episodes/${episode.id}`,
];

const changes = {
  'an unpublished episode': ({ episode }: Made) => unpublishEpisode(one.ctx, episode.id),
  'a deleted show': ({ show }: Made) => deletePodcast(one.ctx, show.id),
  'another slug': ({ show }: Made) =>
    updatePodcast(one.ctx, show.id, { slug: `new-${show.slug}`, title: 'Renamed' }),
  'other titles': async ({ show, episode }: Made) => {
    await updatePodcast(one.ctx, show.id, { title: 'Renamed' });
    await updateEpisode(one.ctx, episode.id, { title: 'Renamed' });
  },
};

describe.each(['in its process', ...(onServer ? ['in another process'] : [])])(
  'a response that is too large for the cache, %s',
  (where) => {
    it.each(Object.entries(changes))(
      'a large response is not sent again after a change: %s',
      async (_, change) => {
        const app = where === 'in its process' ? one : other;
        const show = await makePodcast(one.ctx, { title: 'Old show' });
        const episode = await makeEpisode(one.ctx, show, { title: 'Old episode', slug: 'old' });
        const audio = { url: 'https://cdn.example.com/a.mp3', declaredType: 'audio/mpeg' };
        await attachExternalAudio(one.ctx, episode.id, {
          ...audio,
          sizeBytes: 5,
          durationMs: 1000,
        });
        const urls = urlsOf({ show, episode });
        const read = async (url: string) => {
          const { statusCode, body } = await app.request({ url });
          return { url, statusCode, body };
        };
        // The second time, the fast path knows them.
        const before: Awaited<ReturnType<typeof read>>[] = [];
        for (const url of [...urls, ...urls]) before.push(await read(url));
        expect(before.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
        await change({ show, episode });
        const isOld = ({ url, statusCode, body }: Awaited<ReturnType<typeof read>>) =>
          statusCode === 200 && before.some((each) => each.url === url && each.body === body);
        const findOld = async () => {
          const after = await Promise.all(urls.map(read));
          return after.filter(isOld).map(({ url }) => url);
        };
        if (app === one) expect(await findOld()).toEqual([]);
        // It hears of the change a moment later.
        else await vi.waitFor(async () => expect(await findOld()).toEqual([]), patience);
      },
    );
  },
);
