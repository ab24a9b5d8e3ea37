import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tables } from '../../src/domain/foundation/database.ts';
import {
  attachExternalAudio,
  attachTone,
  findAudio,
} from '../../src/domain/publishing/audio/index.ts';
import {
  deleteEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../src/domain/publishing/episodes/index.ts';
import { suspendPodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';

// Cached data of audio: facts, visibility, open files.
const onServer = process.env['TEST_DATABASE'] === 'postgres';

let app: TestApp;
let podcastId: string;
let episodeId: string;
let url: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  const podcast = await makePodcast(app.ctx);
  const episode = await makeEpisode(app.ctx, podcast, { slug: 'x' });
  await attachTone(app.ctx, episode.id, 5);
  podcastId = podcast.id;
  episodeId = episode.id;
  url = `/media/${episodeId}/f/x.mp3`;
  expect((await ask()).statusCode).toBe(200);
});
afterEach(() => vi.restoreAllMocks());

const ask = (headers: Record<string, string> = {}, path = url, method: 'GET' | 'HEAD' = 'GET') =>
  app.request({ url: path, headers, method });
const status = async () => (await ask()).statusCode;

/** Makes every statement of public requests throw. */
function refuseStatements() {
  return vi.spyOn(app.database.pool, 'connect').mockImplementation(() => {
    throw new Error('a statement');
  });
}

describe('audio that was sent before', () => {
  it('audio that was sent before needs no statement and no other file, and is the same by both paths', async () => {
    const { sizeBytes } = (await findAudio(app.ctx, episodeId)) ?? {};
    const requests = [
      {},
      { range: 'bytes=100-199' },
      { range: 'bytes=-10' },
      { range: `bytes=0-${Number(sizeBytes) * 2}` },
      { 'if-none-match': '*' },
      { range: 'bytes=0-9', 'if-range': '"other"' },
    ] as const;
    const askAll = async (before: () => Promise<unknown>) => {
      const given = [];
      for (const headers of requests) {
        for (const method of ['GET', 'HEAD'] as const) {
          await before();
          const { statusCode, headers: sent, rawPayload } = await ask(headers, url, method);
          const { 'x-request-id': id, date, ...rest } = sent;
          expect([id, date]).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.any(String)]);
          given.push({ statusCode, rest, bytes: rawPayload.toString('base64') });
        }
      }
      return given;
    };
    // After a change it is read again.
    const theLongWay = await askAll(() => updateEpisode(app.ctx, episodeId, { title: 'New' }));
    const read = vi.spyOn(app.ctx.blobs, 'read');
    const statements = refuseStatements();
    const kept = await askAll(async () => undefined);
    for (const [i, response] of kept.entries()) expect(response).toEqual(theLongWay[i]);
    expect(statements).not.toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
    expect((await ask({}, `/media/${randomUUID()}/x.mp3`)).statusCode).toBe(500);
    expect(statements).toHaveBeenCalled();
  });

  it('audio that was sent before is refused with the same errors', async () => {
    for (const headers of [{ range: 'bytes=999999999-' }, { 'if-match': '"other"' }]) {
      const { statusCode, headers: sent, body } = await ask(headers);
      expect([412, 416]).toContain(statusCode);
      expect(JSON.parse(body).error.code).toBe('invalid_request');
      expect(sent['cache-control']).toBe('no-store');
    }
    const key = `svc_live_${'a'.repeat(32)}`;
    expect((await ask({}, `${url}?r=${key}`)).statusCode).toBe(400);
    expect((await ask({}, `${url}?r=a.example`)).statusCode).toBe(200);
    expect((await ask({}, url.replace('/f/', '/x/'))).statusCode).toBe(404);
    expect((await ask({}, url.replace('.mp3', '.m4a'))).statusCode).toBe(302);
  });

  it('audio that was sent before is counted in the metrics', async () => {
    const count = () => {
      const all = [...app.http.counts.entries()];
      return all.find(({ group, status: of }) => group === 'file' && of === 206)?.count ?? 0;
    };
    const before = count();
    await ask({ range: 'bytes=0-9' });
    await ask({ range: 'bytes=0-9' });
    expect(count()).toBe(before + 2);
  });
});

describe('the cache of audio', () => {
  it('drops an episode that is unpublished', async () => {
    await unpublishEpisode(app.ctx, episodeId);
    expect(await status()).toBe(404);
  });

  it('drops the episodes of a suspended show', async () => {
    await suspendPodcast(app.ctx, podcastId);
    expect(await status()).toBe(403);
  });

  it('the cache of audio follows a new slug', async () => {
    await updateEpisode(app.ctx, episodeId, { slug: 'y' });
    const { audio } = (await app.request({ url: `/v1/episodes/${episodeId}` })).json().data;
    const there = new URL(audio.url).pathname;
    expect((await ask({}, there)).statusCode).toBe(200);
  });

  it('the cache of audio follows audio that this or another process replaces', async () => {
    const before = await ask();
    await attachTone(app.ctx, episodeId, 7);
    const after = await ask();
    expect(after.rawPayload.length).toBeGreaterThan(before.rawPayload.length);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    const away = { declaredType: 'audio/mpeg', sizeBytes: null, durationMs: null };
    const other = await makeEpisode(app.ctx, await makePodcast(app.ctx), { slug: 'o' });
    const path = `/media/${other.id}/o.mp3`;
    for (const source of ['https://a.example/1.mp3', 'https://a.example/2.mp3']) {
      await attachExternalAudio(app.ctx, other.id, { url: source, ...away });
      expect((await ask({}, path)).headers['location']).toBe(source);
    }
  });

  it('the cache of audio does not serve the file of a deleted episode, which stays a day for backups', async () => {
    expect(await status()).toBe(200);
    await deleteEpisode(app.ctx, episodeId);
    expect(await status()).toBe(404);
  });

  it('serves nothing before its publication, also if the clock is set back', async () => {
    const now = app.clock.now();
    const at = new Date(now.getTime() + 1000);
    const podcast = await makePodcast(app.ctx);
    const scheduled = { slug: 'x', status: 'scheduled', scheduledFor: at } as const;
    const next = await makeEpisode(app.ctx, podcast, scheduled);
    await attachTone(app.ctx, next.id, 1);
    const path = `/media/${next.id}/x.mp3`;
    expect((await ask({}, path)).statusCode).toBe(404);
    app.clock.set(at);
    expect((await ask({}, path)).statusCode).toBe(200);
    app.clock.set(now);
    expect((await ask({}, path)).statusCode).toBe(404);
  });
});

it('a file that is missing on the disk is a 503', async () => {
  await using other = await createTestApp();
  const { id } = await makeEpisode(other.ctx, await makePodcast(other.ctx), { slug: 'x' });
  await attachTone(other.ctx, id, 1);
  const path = `/media/${id}/x.mp3`;
  expect((await other.request({ url: path })).statusCode).toBe(200);
  const { blobKey = '' } = (await findAudio(other.ctx, id)) ?? {};
  const { blobs } = other.config;
  await rm(join(blobs.kind === 'disk' ? blobs.folder : '', blobKey ?? ''));
  const { statusCode, headers } = await other.request({ url: path });
  expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
});

it.runIf(onServer)('another process sends nothing of a deleted episode', async () => {
  await using opened = new AsyncDisposableStack();
  const { proxy, url: databaseUrl } = await DatabaseProxy.open(app.databaseUrl ?? '');
  opened.use(proxy);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const options = { kind: 'server', url: databaseUrl, poolSize: 3, log } as const;
  const database = opened.use(await openDatabase<Tables>(options));
  const { blobs } = app.ctx;
  const reader = opened.use(await createTestApp({}, { database, blobs, clock: app.clock }));
  const there = async () => (await reader.request({ url })).statusCode;
  expect([await there(), await there()]).toEqual([200, 200]);
  // It gets no notification of the change, and must ask the database.
  proxy.refuse('listening');
  await unpublishEpisode(app.ctx, episodeId);
  await vi.waitFor(async () => expect(await there()).toBe(404), patience);
});
