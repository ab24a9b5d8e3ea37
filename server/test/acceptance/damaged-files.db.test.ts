import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { BlobStoreAwayError } from '../../src/platform/blob-store/blob-store.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { hasS3, openTestS3Store } from '../s3-store.ts';

/** Stored files that differ from their rows, because of a bad disk or an incomplete restore. */
describe('files on the disk', () => damagedFiles('disk'));
describe.skipIf(!hasS3)('files in S3', () => damagedFiles('s3'));

function damagedFiles(kind: 'disk' | 's3'): void {
  let app: TestApp;
  let port: number;
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    app = opened.use(await createTestApp({}, kind === 'disk' ? {} : { blobs: await openS3() }));
    port = Number(new URL(await app.http.server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterAll(() => opened.disposeAsync());
  afterEach(() => vi.restoreAllMocks());

  async function openS3() {
    const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-damaged-'));
    opened.defer(() => rm(scratchDir, { recursive: true }));
    return opened.use(await openTestS3Store({ scratchDir }));
  }

  /** An episode's audio address, the size of the audio, and its key in the store. */
  async function makeAudio() {
    const episode = await makeEpisode(app.ctx, await makePodcast(app.ctx), { slug: 'audio' });
    await attachTone(app.ctx, episode.id, 20);
    const { rows } = await app.database.pool.query<{ blob_key: string; size_bytes: number }>(
      'select blob_key, size_bytes from audio_files where episode_id = $1',
      [episode.id],
    );
    const [{ blob_key: key = '', size_bytes: sizeBytes = 0 } = {}] = rows;
    return { url: `/media/${episode.id}/audio.mp3`, sizeBytes: Number(sizeBytes), key };
  }

  async function shorten(key: string, sizeBytes: number): Promise<void> {
    const whole = await buffer(await app.ctx.blobs.read(key));
    await app.ctx.blobs.put(key, whole.subarray(0, sizeBytes), 'audio/mpeg');
  }

  async function get(path: string, headers: Record<string, string> = {}) {
    const asked = request({ port, path, headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const received = await buffer(response).catch((error: NodeJS.ErrnoException) => error.code);
    return { status: response.statusCode, headers: response.headers, received };
  }

  const logged = () => vi.spyOn(app.ctx.log, 'error');

  it.each([
    ['whole', undefined],
    ['in a range', 'bytes=10-'],
    ['in several ranges', 'bytes=0-99,50000-'],
  ])('a shorter file is cut off at its end, %s, and logged', async (_, range) => {
    const { url, key, sizeBytes } = await makeAudio();
    expect((await get(url)).received).toHaveLength(sizeBytes);
    await shorten(key, 60_000);
    const log = logged();
    const response = await get(url, range === undefined ? {} : { range });
    expect(response.received).toBe('ECONNRESET');
    const words = log.mock.calls.map(([given]) => String((given as { err?: Error }).err?.cause));
    expect(words.join()).toContain('bytes are missing');
  });

  it('an empty file is reported as empty', async () => {
    const { url, key } = await makeAudio();
    await shorten(key, 0);
    const log = logged();
    const { status, headers } = await get(url);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(log).toHaveBeenCalled();
  });

  it('a range beyond the end of a shorter file is 416', async () => {
    const { url, key } = await makeAudio();
    await shorten(key, 1_000);
    const log = logged();
    const response = await get(url, { range: 'bytes=2000-2999' });
    expect(response.status).toBe(416);
    expect(response.headers['content-range']).toBe('bytes */1000');
    expect(log).toHaveBeenCalled();
    expect((await get(url, { range: 'bytes=0-999' })).received).toHaveLength(1_000);
  });

  it('a missing file is a 503 that is not cached, and one line of the log', async () => {
    const { url, key } = await makeAudio();
    await app.ctx.blobs.delete(key);
    const log = logged();
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const { status, headers: sent } = await get(url, headers);
      expect(status).toBe(503);
      expect(sent).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' });
    }
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('an absent store is a 503', async () => {
    const { url } = await makeAudio();
    const away = new BlobStoreAwayError({ cause: new Error('connect ECONNREFUSED') });
    vi.spyOn(app.ctx.blobs, 'read').mockRejectedValue(away);
    const { status, headers, received } = await get(url);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(String(received)).toContain('cannot use its file storage');
  });
}
