import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { storeAndCommit } from '../../foundation/store-and-commit.ts';
import { getEpisode } from '../episodes/index.ts';
import { getPodcast, type Podcast } from '../podcasts/index.ts';
import {
  attachImage,
  findImageBySource,
  ImageError,
  imageBoxesPx,
  imageKey,
  imageVariantKey,
  setEpisodeArtwork,
  setPodcastArtwork,
  storeImage,
} from './index.ts';

let test: TestContext;
let podcast: Podcast;

beforeAll(async () => {
  test = await createTestContext();
  podcast = await makePodcast(test.ctx);
});
afterAll(() => test[Symbol.asyncDispose]());

function makePicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
}

async function countImages(): Promise<number> {
  const { rows } = await test.database.pool.query<{ count: number }>(
    'select count(*) as count from images where podcast_id = $1',
    [podcast.id],
  );
  return rows[0]?.count ?? 0;
}

it('keeps the picture and its smaller copies under its id', async () => {
  const image = await attachImage(test.ctx, {
    podcastId: podcast.id,
    bytes: await makePicture('#336699'),
  });
  expect(image).toMatchObject({ width: 800, height: 400 });
  const keys = [
    imageKey(image.id, 'image/png'),
    ...imageBoxesPx.map((box) => imageVariantKey(image.id, box)),
  ];
  for (const key of keys) {
    expect(await test.ctx.blobs.stat(key), key).toMatchObject({ sizeBytes: expect.any(Number) });
  }
});

it('stores the same picture once, also from two requests at once', async () => {
  const before = await countImages();
  const bytes = await makePicture('#993366');
  const images = await Promise.all(
    [1, 2, 3].map(() => attachImage(test.ctx, { podcastId: podcast.id, bytes })),
  );
  const again = await attachImage(test.ctx, { podcastId: podcast.id, bytes });
  expect(new Set([...images, again].map(({ id }) => id)).size).toBe(1);
  expect(await countImages()).toBe(before + 1);
  expect(await test.ctx.blobs.stat(imageKey(again.id, 'image/png'))).toBeDefined();
});

it('the files of a picture stay if another use of it fails', async () => {
  const { ctx } = test;
  const bytes = await makePicture('#667788');
  const { id } = await attachImage(ctx, { podcastId: podcast.id, bytes });
  const picture = { podcastId: podcast.id, file: bytes };
  for (const isWide of [true, false]) {
    const failing = storeAndCommit(
      ctx,
      (storing) => storeImage(storing, { ...picture, isWide }),
      async () => {
        throw new Error('refused');
      },
    );
    await expect(failing).rejects.toThrow('refused');
    expect(await ctx.blobs.stat(imageKey(id, 'image/png'))).toBeDefined();
    expect(await ctx.blobs.stat(imageVariantKey(id, 160))).toBeDefined();
  }
});

it('a picture that has lost files gets them back when it is uploaded again', async () => {
  const { ctx } = test;
  const bytes = await makePicture('#778899');
  const { id } = await attachImage(ctx, { podcastId: podcast.id, bytes });
  const keys = [imageKey(id, 'image/png'), imageVariantKey(id, 160)];
  for (const key of keys) await ctx.blobs.delete(key);
  expect((await attachImage(ctx, { podcastId: podcast.id, bytes })).id).toBe(id);
  for (const key of keys) expect(await ctx.blobs.stat(key)).toBeDefined();
});

it('remembers where an import found it', async () => {
  const sourceUrl = 'https://example.com/cover.png?size=1';
  expect(await findImageBySource(test.ctx, podcast.id, sourceUrl)).toBeUndefined();
  const bytes = await makePicture('#112233');
  const { id } = await attachImage(test.ctx, { podcastId: podcast.id, bytes, sourceUrl });
  expect(await findImageBySource(test.ctx, podcast.id, sourceUrl)).toBe(id);
  const other = await makePodcast(test.ctx);
  expect(await findImageBySource(test.ctx, other.id, sourceUrl)).toBeUndefined();
});

it('refuses other files and stores nothing of them', async () => {
  const before = await countImages();
  const bytes = Buffer.from('<html>not found</html>');
  await expect(attachImage(test.ctx, { podcastId: podcast.id, bytes })).rejects.toThrow(ImageError);
  expect(await countImages()).toBe(before);
});

it('an image is set as artwork of the show and of an episode, and removed', async () => {
  const episode = await makeEpisode(test.ctx, podcast);
  const bytes = await makePicture('#445566');
  const { id } = await attachImage(test.ctx, { podcastId: podcast.id, bytes });
  await setPodcastArtwork(test.ctx, podcast.id, id);
  await setEpisodeArtwork(test.ctx, episode.id, id);
  expect((await getPodcast(test.ctx, podcast.id)).artworkId).toBe(id);
  expect((await getEpisode(test.ctx, episode.id)).artworkId).toBe(id);
  await setEpisodeArtwork(test.ctx, episode.id, null);
  expect((await getEpisode(test.ctx, episode.id)).artworkId).toBeNull();
});
