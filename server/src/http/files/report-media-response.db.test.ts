import { once } from 'node:events';
import { get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { InjectOptions } from 'light-my-request';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../test/make.ts';
import { patience } from '../../../test/patience.ts';
import type { ObservedRequest } from '../../domain/audience/downloads/index.ts';
import {
  attachExternalAudio,
  attachTone,
  findAudio,
  removeAudio,
} from '../../domain/publishing/audio/index.ts';
import type { Podcast } from '../../domain/publishing/podcasts/index.ts';

const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const heard: ObservedRequest[] = [];
let app: TestApp;
let podcast: Podcast;
let episodeId: string;
let url: string;
let sizeBytes: number;

beforeAll(async () => {
  app = await createTestApp({}, { onMediaResponse: (observed) => void heard.push(observed) });
  podcast = await makePodcast(app.ctx);
  const episode = await makeEpisode(app.ctx, podcast, { slug: 'one' });
  await attachTone(app.ctx, episode.id, 60);
  episodeId = episode.id;
  url = `/media/${episodeId}/f/one.mp3`;
  sizeBytes = (await findAudio(app.ctx, episodeId))?.sizeBytes ?? 0;
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  heard.length = 0;
});

/** Sends a request, and returns its report. */
async function hear(options: Omit<InjectOptions, 'url'> & { url?: string }, from = app) {
  const response = await from.request({ method: 'GET', url, ...options });
  await vi.waitUntil(() => heard.length > 0, patience);
  expect(heard).toHaveLength(1);
  return { response, observed: heard[0] as ObservedRequest };
}
const hearDelivery = async (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
  const { response, observed } = await hear({ headers, method });
  const { status, sent } = observed;
  const { 'content-range': range, 'content-length': length } = response.headers;
  return { delivered: { status, sent }, promised: { range, length } };
};

describe('a media response', () => {
  it('a media response is reported with the client, the audio, and its bytes per second', async () => {
    const headers = { 'user-agent': 'Pod/1', referer: 'https://a.example/', host: 'test.local' };
    const address = { url: `${url.replace('/f/', '/p/')}?r=b.example`, remoteAddress: '192.0.2.7' };
    const { observed } = await hear({ headers, ...address });
    expect(observed).toEqual({
      at: app.clock.now(),
      podcastId: podcast.id,
      episodeId,
      source: 'player',
      framingHost: 'b.example',
      method: 'GET',
      address: '192.0.2.7',
      userAgent: 'Pod/1',
      referrer: 'https://a.example/',
      isPrefetch: false,
      status: 200,
      file: {
        hash: sha256,
        sizeBytes,
        durationMs: 60_000,
        bitrateBps: 32_000,
        leadingTagBytes: 0,
      },
      sent: [{ start: 0, end: sizeBytes - 1 }],
    });
  });

  it.each([
    ['sec-purpose', 'prefetch', true],
    ['sec-purpose', 'prefetch;prerender', true],
    ['purpose', 'preview', true],
    ['x-moz', 'prefetch', true],
    ['purpose', 'listening', false],
  ])('a media response with %s: %s is a prefetch: %s', async (name, value, isPrefetch) => {
    expect((await hear({ headers: { [name]: value } })).observed).toMatchObject({ isPrefetch });
  });

  it('a media response has no source or host if the address has none, or more than one', async () => {
    const { observed } = await hear({ url: `${url.replace('/f/', '/')}?r=a&r=b` });
    expect(observed).toMatchObject({ source: 'direct', framingHost: undefined });
  });

  it('a media response has the sent bytes: all that GET requests, none for HEAD', async () => {
    const [first, second] = [
      { start: 0, end: 9 },
      { start: 500, end: sizeBytes - 1 },
    ];
    const both = [first, second];
    const whole = [{ start: 0, end: sizeBytes - 1 }];
    const range = 'bytes=0-9';
    for (const [headers, status, sent] of [
      [{ range }, 206, [first]],
      [{ range: 'bytes=500-' }, 206, [second]],
      [{ range: 'bytes=0-9, 500-999999999' }, 206, both],
      [{ range: 'lines=1' }, 200, whole],
      [{ range, 'if-range': '"other"' }, 200, whole],
      [{ range: 'bytes=999999999-' }, 416, []],
      [{ 'if-none-match': '*' }, 304, []],
      [{ 'if-match': '"other"' }, 412, []],
    ] as const) {
      heard.length = 0;
      const { delivered, promised } = await hearDelivery(headers);
      expect(delivered).toEqual({ status, sent });
      heard.length = 0;
      const head = await hearDelivery(headers, 'HEAD');
      expect(head).toEqual({ delivered: { status, sent: [] }, promised });
    }
  });

  it('a media response is a redirect if the audio is external or its address has changed', async () => {
    const { observed } = await hear({ url: url.replace('.mp3', '.m4a') });
    expect(observed).toMatchObject({ status: 302, file: { sizeBytes: 0 }, sent: [] });
    heard.length = 0;
    const episode = await makeEpisode(app.ctx, podcast, { slug: 'away' });
    const audio = { declaredType: 'audio/mpeg', sizeBytes: null, durationMs: null };
    await attachExternalAudio(app.ctx, episode.id, { url: 'https://a.example/a.mp3', ...audio });
    const away = await hear({ url: `/media/${episode.id}/l/away.mp3` });
    expect(away.observed).toMatchObject({ source: 'listen_page', status: 302, sent: [] });
  });

  it('a media response is not reported for audio that is not public', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { slug: 'none' });
    await attachTone(app.ctx, episode.id, 1);
    await removeAudio(app.ctx, episode.id);
    const { statusCode } = await app.request({ url: `/media/${episode.id}/f/none.mp3` });
    expect(statusCode).toBe(404);
    await hear({});
  });

  it('a media response is not reported if nginx sends it, but its end is', async () => {
    const ends: Date[] = [];
    await using other = await createTestApp(
      { X_ACCEL_REDIRECT: '/_blobs/' },
      {
        onMediaResponse: (observed) => void heard.push(observed),
        onMediaHandover: (at) => void ends.push(at),
      },
    );
    const { id } = await makeEpisode(other.ctx, await makePodcast(other.ctx), { slug: 'x' });
    await attachTone(other.ctx, id, 1);
    // The ETag that nginx gave the file.
    const headers = { range: 'bytes=5-', 'if-range': '"of-nginx"' };
    const response = await other.request({ url: `/media/${id}/x.mp3`, headers });
    await vi.waitUntil(() => ends.length > 0, patience);
    // nginx keeps its connection only if the response states that it has no body.
    expect(response.headers['content-length']).toBe('0');
    expect([ends, heard]).toEqual([[other.clock.now()], []]);
  });
});

/** Simulates a store that cannot keep files open. */
const leaveOpenOut = () => vi.spyOn(app.ctx.blobs, 'open').mockRejectedValue(new Error('no'));

describe('a connection that breaks off', () => {
  let port: number;
  beforeAll(async () => {
    await app.http.server.listen({ host: '127.0.0.1', port: 0 });
    port = (app.http.server.server.address() as AddressInfo).port;
  });
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [
      'a stream',
      () => {
        const slow = new Readable({ read: () => undefined });
        slow.push(Buffer.alloc(100_000));
        leaveOpenOut();
        vi.spyOn(app.ctx.blobs, 'read').mockResolvedValue(slow);
      },
    ],
    [
      'pieces',
      () => {
        const pieces: (Buffer | Promise<never>)[] = [
          Buffer.alloc(60_000),
          Buffer.alloc(40_000),
          new Promise<never>(() => undefined),
        ];
        const read = () => pieces.shift() ?? Buffer.alloc(0);
        const blob = { sizeBytes, read, [Symbol.dispose]: () => undefined };
        vi.spyOn(app.ctx.blobs, 'open').mockResolvedValue(blob);
      },
    ],
  ])(
    'a connection that breaks off is reported with the bytes that were handed to it: %s',
    async (_, stall) => {
      await app.request({ url });
      heard.length = 0;
      stall();
      const request = get(`http://127.0.0.1:${port}${url}`, { headers: { range: 'bytes=1000-' } });
      const [response] = await once(request, 'response');
      let received = 0;
      for await (const chunk of response) {
        received += chunk.length;
        if (received === 100_000) break;
      }
      request.destroy();
      await vi.waitUntil(() => heard.length > 0, patience);
      const sent = [{ start: 1000, end: 100_999 }];
      expect(heard[0]).toMatchObject({
        status: 206,
        address: '127.0.0.1',
        sent,
      });
    },
  );

  it('a connection that breaks off comes after the report of a response that the system has taken', async () => {
    // The first request caches what is known of the audio, the second one its bytes.
    for (let i = 0; i < 2; i += 1) await app.request({ url, headers: { range: 'bytes=0-9' } });
    await vi.waitUntil(() => heard.length === 2, patience);
    heard.length = 0;
    const heardAtClose: number[] = [];
    app.http.server.server.prependOnceListener('request', (_, response: ServerResponse) => {
      response.once('close', () => heardAtClose.push(heard.length));
    });
    const request = get(`http://127.0.0.1:${port}${url}`, { headers: { range: 'bytes=0-9' } });
    const [response] = await once(request, 'response');
    response.resume();
    await vi.waitUntil(() => heardAtClose.length > 0, patience);
    expect(heardAtClose).toEqual([1]);
    expect(heard[0]).toMatchObject({ sent: [{ start: 0, end: 9 }] });
  });

  it('a connection that breaks off before the first byte is no error', async () => {
    const slow = new Readable({ read: () => undefined });
    leaveOpenOut();
    const read = vi.spyOn(app.ctx.blobs, 'read').mockResolvedValue(slow);
    const error = vi.spyOn(app.log, 'error');
    const request = get(`http://127.0.0.1:${port}${url}`).on('error', () => undefined);
    await vi.waitUntil(() => read.mock.calls.length > 0, patience);
    request.destroy();
    await vi.waitUntil(() => heard.length > 0 && slow.destroyed, patience);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard[0]).toMatchObject({ sent: [], file: { hash: sha256 } });
    expect(error).not.toHaveBeenCalled();
  });
});

it('a response from a damaged file is reported with its sent bytes', async () => {
  const read = vi.spyOn(app.ctx.blobs, 'read');
  const open = leaveOpenOut();
  read.mockResolvedValueOnce(Readable.from([]));
  expect((await hearDelivery({ range: 'bytes=0-9' })).delivered.sent).toEqual([]);
  open.mockRestore();
  read.mockRestore();
});

it.each([
  () => {
    throw new Error('too busy');
  },
  () => Promise.reject(new Error('too busy')),
])('the error of a listener is logged (%#)', async (fail) => {
  await using other = await createTestApp({}, { onMediaResponse: fail });
  const error = vi.spyOn(other.log, 'error');
  const { id } = await makeEpisode(other.ctx, await makePodcast(other.ctx), { slug: 'x' });
  await attachTone(other.ctx, id, 1);
  const response = await other.request({ url: `/media/${id}/x.mp3` });
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload.length).toBeGreaterThan(0);
  await vi.waitUntil(() => error.mock.calls.length > 0, patience);
  expect(error.mock.calls).toEqual([[{ err: new Error('too busy') }, expect.any(String)]]);
});
