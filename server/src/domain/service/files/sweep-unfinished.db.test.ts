import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { type FakeS3, openFakeS3 } from '../../../../test/hosts/fake-s3.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import { openS3BlobStore } from '../../../platform/blob-store/s3-blob-store.ts';
import { makeTone } from '../../publishing/audio/index.ts';
import { deleteEpisode } from '../../publishing/episodes/index.ts';
import { appendToUpload, createUpload, openUpload } from '../../publishing/uploads/index.ts';
import { sweepFiles } from './sweep-files.ts';

const hourMs = 3_600_000;
const databases = useOneDatabase();
let opened: AsyncDisposableStack;
let test: TestContext;
let s3: FakeS3;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-unfinished-'));
  opened.defer(() => rm(scratchDir, { recursive: true }));
  s3 = opened.use(await openFakeS3());
  const blobs = opened.use(
    await openS3BlobStore({
      ...{ endpoint: s3.url, region: 'us-east-1', bucket: 'bucket', forcePathStyle: true },
      ...{ accessKeyId: 'key', secretAccessKey: 'secret', prefix: 'pod', scratchDir },
      // Lists have several pages.
      listedAtOnce: 2,
    }),
  );
  test = opened.use(await createTestContext({}, { blobs, databases }));
});
afterEach(() => opened.disposeAsync());

/** Relative to the real clock, which the store uses. */
const hoursLater = (hours: number) => test.clock.set(new Date(Date.now() + hours * hourMs));

async function* breaking(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('the connection broke');
}

it('parts of uploads to S3 whose episode is deleted are swept after a day', async () => {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const send = async (bytes: Buffer) => {
    const { id: episodeId } = await makeEpisode(test.ctx, show, { status: 'draft' });
    const id = newId();
    const about = { purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' } as const;
    await createUpload(ctx, { ...about, id, sizeBytes: 20_000_000, sha256: undefined });
    await using writing = await openUpload(ctx, id);
    await expect(appendToUpload(ctx, writing, breaking(bytes))).rejects.toThrow('broke');
    return { id, episodeId };
  };
  const tone = Buffer.concat(await makeTone(2_500).toArray());
  const kept = await send(tone.subarray(0, 100_000));
  const ended = [await send(tone), await send(tone.subarray(0, 100_000)), await send(tone)];
  for (const { episodeId } of ended) await deleteEpisode(ctx, episodeId);
  // Of someone else who has the bucket.
  s3.uploads.set('1', { key: 'other/uploads/a', parts: new Map() });
  s3.uploads.set('2', { key: `pod/uploads/notes`, parts: new Map() });
  const left = () => [...s3.uploads.values()].map(({ key }) => key).sort();
  const all = left();
  expect(all).toHaveLength(6);

  hoursLater(20);
  await sweepFiles(test.ctx);
  expect(left()).toEqual(all);
  hoursLater(25);
  expect(await sweepFiles(test.ctx, { dryRun: true })).toMatchObject({ strays: 6 });
  expect(left()).toEqual(all);
  expect(await sweepFiles(test.ctx)).toMatchObject({ strays: 6 });
  expect(left()).toEqual(['other/uploads/a', 'pod/uploads/notes', `pod/uploads/${kept.id}`].sort());
  // The bytes that are too few for a part.
  const tails = [...s3.objects.keys()].filter((key) => key.startsWith('pod/uploads/'));
  expect(tails).toEqual([expect.stringContaining(kept.id)]);
});
