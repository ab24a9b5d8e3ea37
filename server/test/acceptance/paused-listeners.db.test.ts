import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import type { BlobStore } from '../../src/platform/blob-store/blob-store.ts';
import { openDiskBlobStore } from '../../src/platform/blob-store/disk-blob-store.ts';
import { openS3BlobStore } from '../../src/platform/blob-store/s3-blob-store.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { type FakeS3, openFakeS3 } from '../hosts/fake-s3.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';

/** 7 MB: more than the system takes for a client that reads nothing. */
const toneSeconds = 1_800;
const mostClients = 4;

describe('audio on the disk', () => pausedListeners('disk'));
describe('audio in S3', () => pausedListeners('S3'));

function pausedListeners(kind: 'disk' | 'S3'): void {
  const opened = new AsyncDisposableStack();
  const paused: IncomingMessage[] = [];
  let app: TestApp;
  let server: Server;
  let port: number;
  let audio: string;
  let s3: FakeS3 | undefined;
  let artwork: string;

  beforeAll(async () => {
    const blobs = opened.use(await openStore());
    app = opened.use(await createTestApp({ TRUST_PROXY: '1' }, { blobs }));
    server = app.http.server.server;
    port = Number(new URL(await app.http.server.listen({ port: 0, host: '127.0.0.1' })).port);
    const show = await makePodcast(app.ctx);
    const episode = await makeEpisode(app.ctx, show, { slug: 'audio' });
    await attachTone(app.ctx, episode.id, toneSeconds);
    audio = `/media/${episode.id}/audio.mp3`;
    const background = { r: 1, g: 10, b: 20 };
    const picture = sharp({ create: { width: 800, height: 800, channels: 3, background } });
    const { id } = await attachImage(app.ctx, {
      podcastId: show.id,
      bytes: await picture.png().toBuffer(),
    });
    await setPodcastArtwork(app.ctx, show.id, id);
    artwork = `/images/${id}.png`;
    // Later responses are sent without the framework.
    await ask(audio, '192.0.2.1', { range: 'bytes=0-9' });
  }, patience.timeout);
  afterEach(() => {
    for (const response of paused.splice(0)) response.destroy();
  });
  afterAll(() => opened.disposeAsync());

  async function openStore(): Promise<BlobStore> {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-paused-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    if (kind === 'disk') return await openDiskBlobStore(folder, { mostClients });
    s3 = opened.use(await openFakeS3());
    return await openS3BlobStore({
      ...{ endpoint: s3.url, region: 'us-east-1', bucket: 'bucket' },
      ...{ accessKeyId: 'key', secretAccessKey: 'secret', forcePathStyle: true, prefix: '' },
      ...{ scratchDir: folder, mostClients },
    });
  }

  /** A response that isn't read. */
  async function open(path: string, address: string, more: Record<string, string> = {}) {
    const headers = { ...more, 'x-forwarded-for': address };
    const [response] = await once(get({ port, path, headers, agent: false }), 'response');
    return response as IncomingMessage;
  }

  /** Reads the response. */
  async function ask(path: string, address: string, more: Record<string, string> = {}) {
    const response = await open(path, address, more);
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode, wait: response.headers['retry-after'] };
  }

  async function pause(address: string, more: Record<string, string> = {}): Promise<void> {
    const response = await open(audio, address, more);
    expect(response.statusCode).toBeLessThan(300);
    paused.push(response.on('error', () => undefined));
  }

  const refused = { status: 503, wait: '10' };
  const range = { range: 'bytes=0-9' };
  const heard = { status: 206, wait: undefined };

  // LIM-18
  it(`listeners of a network who pause are refused more audio, from ${kind}, and nobody else`, async () => {
    await pause('192.0.2.1');
    await pause('192.0.2.1', { range: 'bytes=0-99,200-' });
    expect(await ask(audio, '192.0.2.1', range)).toEqual(refused);
    expect(await ask(audio, '192.0.2.2', range)).toEqual(heard);
    expect((await ask(artwork, '192.0.2.1')).status).toBe(200);
    paused.pop()?.destroy();
    await vi.waitUntil(async () => (await ask(audio, '192.0.2.1', range)).status === 206, patience);
  });

  // LIM-18
  it(`a listener who has read nothing for some time is disconnected, from ${kind}`, async () => {
    const sockets: Socket[] = [];
    const keep = (socket: Socket) => void sockets.push(socket);
    server.on('connection', keep);
    await pause('192.0.2.1');
    await pause('192.0.2.1');
    server.off('connection', keep);
    expect(await ask(audio, '192.0.2.1', range)).toEqual(refused);
    // In place of two minutes.
    for (const socket of sockets) socket.setTimeout(50);
    await vi.waitUntil(async () => (await ask(audio, '192.0.2.1', range)).status === 206, patience);
  });

  if (kind === 'disk') return;
  // LIM-18
  it('clients of a network who wait for the size of an image are refused more, and nobody else', async () => {
    const held: ServerResponse[] = [];
    s3?.misbehave((_request, response) => void held.push(response));
    const waiting = [1, 2].map(() => ask(artwork, '192.0.2.1'));
    await vi.waitUntil(() => held.length === 2, patience);
    expect(await ask(artwork, '192.0.2.1')).toEqual(refused);
    expect(held).toHaveLength(2);
    const other = ask(artwork, '192.0.2.2');
    await vi.waitUntil(() => held.length === 3, patience);
    s3?.misbehave();
    for (const response of held) response.writeHead(404).end();
    for (const { status } of await Promise.all([...waiting, other])) expect(status).toBe(404);
  });

  it('a listener who leaves before S3 responds keeps no place', async () => {
    const held: ServerResponse[] = [];
    s3?.misbehave((_request, response) => void held.push(response));
    const leaving = [1, 2].map(() =>
      get({ port, path: audio, headers: { 'x-forwarded-for': '192.0.2.1' }, agent: false }),
    );
    for (const request of leaving) request.on('error', () => undefined);
    await vi.waitUntil(() => held.length === 2, patience);
    expect(await ask(audio, '192.0.2.1', range)).toEqual(refused);
    for (const request of leaving) request.destroy();
    const connections = () => promisify(server.getConnections).call(server);
    await vi.waitUntil(async () => (await connections()) === 0, patience);
    s3?.misbehave();
    for (const response of held) {
      response.writeHead(200, { 'content-length': 7_000_000 }).write(Buffer.alloc(1_000));
    }
    await vi.waitUntil(async () => (await ask(audio, '192.0.2.1', range)).status === 206, patience);
  });
}
