import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeS3, openFakeS3 } from '../../../test/hosts/fake-s3.ts';
import { type BlobStore, BlobStoreAwayError } from './blob-store.ts';
import { openS3BlobStore } from './s3-blob-store.ts';
import { s3Deadlines } from './s3-client.ts';

let host: FakeS3;
let store: BlobStore;
let folder: string;
const deadlines = { quickMs: 300, bytesMs: 600, silenceMs: 200 };

beforeEach(async () => {
  host = await openFakeS3();
  folder = await mkdtemp(join(tmpdir(), 'podstead-s3-'));
  store = await openS3BlobStore({
    ...{ endpoint: host.url, region: 'us-east-1', bucket: 'bucket', forcePathStyle: true },
    ...{ accessKeyId: 'key', secretAccessKey: 'secret', prefix: '', scratchDir: folder },
    deadlines,
  });
  await store.put('audio/a.mp3', Buffer.alloc(200_000, 1), 'audio/mpeg');
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const progress = { sizeBytes: 0, state: JSON.stringify({ uploadId: 'u', etags: [], tail: null }) };
const partial = { key: 'uploads/u', totalBytes: 10, progress };
/** Every operation that asks the store. */
const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  put: () => store.put('audio/b.mp3', Buffer.from('b'), 'audio/mpeg'),
  copy: () => store.copy('audio/a.mp3', 'audio/b.mp3', 'audio/mpeg'),
  read: () => store.read('audio/a.mp3'),
  'read a range': () => store.read('audio/a.mp3', { start: 0, end: 9 }),
  withFile: () => store.withFile('audio/a.mp3', async () => undefined),
  stat: () => store.stat('audio/a.mp3'),
  delete: () => store.delete('audio/a.mp3'),
  list: async () => {
    for await (const _ of store.list('audio'));
  },
  check: () => store.check(),
  removeLeftovers: () => store.removeLeftovers(new Date()),
  'begin a partial blob': () => store.partial.begin('uploads/u', 10),
  'append to a partial blob': () =>
    store.partial.append({
      ...partial,
      body: (async function* () {
        yield Buffer.alloc(10);
      })(),
      record: async () => undefined,
    }),
  'finish a partial blob': () => store.partial.finish(partial),
  'remove a partial blob': () => store.partial.remove(partial),
};

/** Sends as much as is taken. Returns the number of bytes so far. */
function sendForever(response: ServerResponse): () => number {
  const chunk = Buffer.alloc(1024 * 1024, '<a>');
  const write = (): void => {
    if (!response.destroyed) response.write(chunk, write);
  };
  write();
  return () => response.socket?.bytesWritten ?? 0;
}

describe('a store that accepts connections and never responds', () => {
  it.each(Object.keys(operations))(
    'a store that accepts connections and never responds is away in limited time: %s',
    async (name) => {
      host.misbehave(() => undefined);
      await expect(operations[name]?.()).rejects.toBeInstanceOf(BlobStoreAwayError);
    },
  );

  it('a store that accepts connections and never responds is noticed before the server closes the connection of the client', () => {
    expect(Math.max(...Object.values(s3Deadlines))).toBeLessThan(120_000);
  });
});

describe('a store that sends', () => {
  it.each(Object.keys(operations))('junk either does no harm or is away: %s', async (name) => {
    host.misbehave((_request, response) => response.end('<a><b>&&&</a>\u0000'));
    const end = await operations[name]?.().catch((error: unknown) => error);
    const harmless = name === 'check' ? Error : BlobStoreAwayError;
    if (end instanceof Error) expect(end).toBeInstanceOf(harmless);
  });

  it('an endless reply is away, and memory is bounded', async () => {
    let sent = 0;
    host.misbehave((_request, response) => {
      const bytes = sendForever(response);
      response.once('close', () => {
        sent = Math.max(sent, bytes());
      });
    });
    await expect(operations['list']?.()).rejects.toBeInstanceOf(BlobStoreAwayError);
    await expect(operations['begin a partial blob']?.()).rejects.toBeInstanceOf(BlobStoreAwayError);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('an endless error is away', async () => {
    host.misbehave((_request, response) => {
      response.statusCode = 400;
      sendForever(response);
    });
    await expect(store.read('audio/a.mp3')).rejects.toBeInstanceOf(BlobStoreAwayError);
  });

  it.each([
    ['one page', ['same']],
    ['several pages', ['one', 'other', 'third']],
  ])('a list that repeats %s without an end is refused', async (_, tokens) => {
    let pages = 0;
    host.misbehave((_request, response) => {
      const token = tokens[pages % tokens.length];
      pages += 1;
      // Ends, so that the test does too.
      response.end(
        `<ListBucketResult><IsTruncated>${pages < 20}</IsTruncated>` +
          `<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`,
      );
    });
    await expect(operations['list']?.()).rejects.toThrow('never ends');
    expect(pages).toBe(tokens.length + 1);
  });

  it('half of a file, and then nothing, ends the read', async () => {
    host.misbehave((_request, response) => {
      response.writeHead(200, { 'content-length': 200_000 }).write(Buffer.alloc(100_000));
    });
    const body = await store.read('audio/a.mp3');
    await expect(body.toArray()).rejects.toBeInstanceOf(BlobStoreAwayError);
  });

  it('a file byte by byte ends the read', async () => {
    host.misbehave((_request, response) => {
      response.writeHead(200, { 'content-length': 200_000 });
      const timer = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(timer));
    });
    const body = await store.read('audio/a.mp3');
    await expect(body.toArray()).rejects.toBeInstanceOf(BlobStoreAwayError);
  });

  it.each(Object.keys(operations))('a redirect is not followed, and is away: %s', async (name) => {
    const followed: string[] = [];
    host.misbehave(({ url = '' }, response) => {
      if (url === '/elsewhere') followed.push(url);
      response.writeHead(307, { location: `${host.url}/elsewhere` }).end();
    });
    await expect(operations[name]?.()).rejects.toBeInstanceOf(BlobStoreAwayError);
    expect(followed).toEqual([]);
  });

  it('a file to a reader that pauses is not silent', async () => {
    const body = await store.read('audio/a.mp3');
    body.pause();
    await new Promise((resolve) => setTimeout(resolve, 3 * deadlines.silenceMs));
    expect(Buffer.concat(await body.toArray())).toHaveLength(200_000);
  });

  it('a store that sends more than the requested range, or bytes without a length, is away', async () => {
    host.misbehave((_request, response) => response.end(Buffer.alloc(5_000)));
    const span = { start: 0, end: 9 };
    await expect(store.read('audio/a.mp3', span)).rejects.toBeInstanceOf(BlobStoreAwayError);
    host.misbehave((_request, response) => void sendForever(response));
    await expect(store.read('audio/a.mp3')).rejects.toBeInstanceOf(BlobStoreAwayError);
  });

  it('a length that is not a number is away', async () => {
    host.misbehave((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: junk\r\n\r\n');
    });
    await expect(store.stat('audio/a.mp3')).rejects.toBeInstanceOf(BlobStoreAwayError);
    await expect(store.read('audio/a.mp3')).rejects.toBeInstanceOf(BlobStoreAwayError);
  });
});

it('the ends of many unfinished uploads are not in memory while they are sent', async () => {
  const [most, bytes] = [20, 7 * 1024 * 1024];
  const memory = () => process.memoryUsage().arrayBuffers;
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const waiting: ServerResponse[] = [];
  host.misbehave((request, response) => {
    if (request.method !== 'PUT') return void response.writeHead(404).end();
    request.pause();
    waiting.push(response);
    if (waiting.length === most) resolve();
  });
  const chunk = Buffer.alloc(bytes, 1);
  const before = memory();
  await using patient = await openS3BlobStore({
    ...{ endpoint: host.url, region: 'us-east-1', bucket: 'bucket', forcePathStyle: true },
    ...{ accessKeyId: 'key', secretAccessKey: 'secret', prefix: '', scratchDir: folder },
  });
  const appending = Array.from({ length: most }, (_, at) =>
    patient.partial.append({
      ...{ key: `uploads/${at}`, totalBytes: 2 * bytes, progress },
      body: (async function* () {
        yield chunk;
      })(),
      record: async () => undefined,
    }),
  );
  await sent;
  const sentMemory = memory();
  for (const response of waiting) {
    response.req.resume();
    response.req.once('end', () => response.setHeader('ETag', '"1"').end());
  }
  await Promise.all(appending);
  // Buffers of sockets and files, also some that are garbage already; the ends whole would be twice as much.
  expect(sentMemory - before).toBeLessThan(most * bytes);
}, 60_000);
