import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { hasS3, openTestS3Store } from '../../../../test/s3-store.ts';
import { newId } from '../../../lib/uuid.ts';
import { findAudio, makeTone } from '../audio/index.ts';
import {
  appendToUpload,
  createUpload,
  getUpload,
  openUpload,
  removeUpload,
  useAudioUpload,
} from './index.ts';

async function* breaking(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('the connection broke');
}

it.skipIf(!hasS3)('an upload arrives in an S3 bucket in pieces, and becomes audio', async () => {
  const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-uploads-'));
  await using blobs = await openTestS3Store({ scratchDir });
  await using test = await createTestContext({}, { blobs });
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const bytes = await buffer(makeTone(3_600));
  const [id, second] = [newId(), newId()];
  const about = { purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' } as const;
  const sizeBytes = bytes.length;
  await createUpload(ctx, { ...about, id, sizeBytes, sha256: undefined });
  await createUpload(ctx, { ...about, id: second, sizeBytes, sha256: undefined });
  for (const share of [0.3, 0.9]) {
    await using writing = await openUpload(ctx, id);
    const rest = bytes.subarray(writing.upload.receivedBytes, Math.floor(sizeBytes * share));
    await expect(appendToUpload(ctx, writing, breaking(rest))).rejects.toThrow('broke');
    expect((await getUpload(ctx, id)).receivedBytes).toBe(Math.floor(sizeBytes * share));
  }
  {
    await using writing = await openUpload(ctx, id);
    const rest = bytes.subarray(writing.upload.receivedBytes);
    await appendToUpload(ctx, writing, [rest] as unknown as AsyncIterable<Buffer>);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const facts = await useAudioUpload(ctx, { episodeId, uploadId: id, sha256 });
  expect(facts).toMatchObject({ sizeBytes, sha256 });
  const { blobKey } = (await findAudio(test.ctx, episodeId)) ?? {};
  const stored = await buffer(await blobs.read(blobKey ?? ''));
  expect(stored.equals(bytes)).toBe(true);
  await removeUpload(ctx, second);
  for await (const left of blobs.list('uploads')) expect(left).toEqual([]);
  await rm(scratchDir, { recursive: true });
});
