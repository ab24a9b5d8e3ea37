import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openHttpHost } from '../../../test/hosts/http-host.ts';
import { patience } from '../../../test/patience.ts';
import { DiskReserveError, DiskRoom } from '../blob-store/disk-room.ts';
import { createOutboundHttp } from './create-outbound-http.ts';
import { type DownloadOptions, downloadFile } from './download-file.ts';

const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'Podstead/1.0 (+test)' });
const folder = await mkdtemp(join(tmpdir(), 'podstead-download-'));
const bytes = randomBytes(400_000);
const other = randomBytes(300_000);
const half = 200_000;
let path: string;
let pauses: number[];
let options: DownloadOptions;

beforeEach(() => {
  path = join(folder, `${Math.random()}`);
  pauses = [];
  const delay = async (delayMs: number) => {
    pauses.push(delayMs);
  };
  options = { maxBytes: 1_000_000, timeoutMs: 50_000, delay };
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const get = (url: string, more: Partial<DownloadOptions> = {}) =>
  downloadFile(outbound, url, path, { ...options, ...more });

/** The files that the current download has left. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => join(folder, name).startsWith(path)).sort();
}

interface Served {
  readonly content?: Buffer;
  readonly headers?: Record<string, string>;
  /** Break the connection after so many bytes of the body. */
  readonly breakAfter?: number;
  /** 'overlooked': send the range even if If-Range does not match. */
  readonly ifRange?: 'obeyed' | 'overlooked';
}

/** Serves as an honest file server does: ranges, If-Range, 416. */
function serveFile(request: IncomingMessage, response: ServerResponse, served: Served): void {
  const { content = bytes, headers = { ETag: '"v1"' }, ifRange = 'obeyed' } = served;
  const { breakAfter = Number.POSITIVE_INFINITY } = served;
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const validator = headers['ETag'] ?? headers['Last-Modified'];
  const isSame = ifRange === 'overlooked' || request.headers['if-range'] === validator;
  const start = from !== undefined && isSame ? Number(from) : undefined;
  const all = { 'Content-Type': 'audio/mpeg', ...headers };
  if (start === undefined) {
    response.writeHead(200, { ...all, 'Content-Length': content.length });
  } else if (start >= content.length) {
    response.writeHead(416, { ...all, 'Content-Range': `bytes */${content.length}` });
    return void response.end('nothing there');
  } else {
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    response.writeHead(206, { ...all, 'Content-Range': range });
  }
  const body = content.subarray(start ?? 0);
  if (breakAfter >= body.length) return void response.end(body);
  response.write(body.subarray(0, breakAfter));
  breakOnceStored(response, (start ?? 0) + breakAfter);
}

/** Breaks the connection when the file has this size on disk, so that all runs are equal. */
async function breakOnceStored(response: ServerResponse, sizeBytes: number): Promise<void> {
  const sizeNow = async () => (await stat(path).catch(() => undefined))?.size ?? 0;
  await vi.waitUntil(async () => response.destroyed || (await sizeNow()) >= sizeBytes, {
    ...patience,
    interval: 1,
  });
  response.destroy();
}

/** Sends these responses in turn, the last one again and again. */
function serveInTurn(...turns: Served[]) {
  let turn = 0;
  return openHttpHost((request, response) => {
    serveFile(request, response, turns[Math.min(turn, turns.length - 1)] ?? {});
    turn += 1;
  });
}

describe('downloadFile', () => {
  it('downloads a file and reports its progress', async () => {
    await using server = await serveInTurn({});
    const progress: [number, number | undefined][] = [];
    const onProgress = (received: number, total?: number) => progress.push([received, total]);
    expect(await get(`${server.url}/a.mp3?sig=1`, { onProgress })).toEqual({
      sizeBytes: bytes.length,
      contentType: 'audio/mpeg',
      finalUrl: `${server.url}/a.mp3?sig=1`,
    });
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(await leftovers()).toHaveLength(1);
    expect(progress.at(-1)).toEqual([bytes.length, bytes.length]);
    expect(progress.every(([received], at) => received > (progress[at - 1]?.[0] ?? 0))).toBe(true);
    expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(server.requests[0]?.headers).not.toHaveProperty('range');
  });

  it('resumes after interruptions, with growing pauses, while bytes arrive', async () => {
    await using server = await serveInTurn({ breakAfter: 100_000 });
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=100000-',
      'bytes=200000-',
      'bytes=300000-',
    ]);
    expect(server.requests.at(-1)?.headers['if-range']).toBe('"v1"');
    expect(pauses).toEqual([500, 1000, 2000]);
  });

  it('fails after several interruptions, and resumes in another call', async () => {
    await using server = await serveInTurn({ breakAfter: 30_000 });
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(server.requests).toHaveLength(6);
    expect((await stat(path)).size).toBe(180_000);
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'unreachable' });
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(await leftovers()).toHaveLength(1);
  });

  it('retries once if no byte arrived', async () => {
    const nothing = { breakAfter: 0 };
    await using server = await serveInTurn(nothing, { breakAfter: 100_000 }, nothing);
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(server.requests).toHaveLength(3);
    expect((await stat(path)).size).toBe(100_000);
  });

  it('downloadFile does not retry if nobody listens', async () => {
    const server = await serveInTurn();
    await server[Symbol.asyncDispose]();
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(pauses).toEqual([]);
  });

  it('downloadFile does not retry if the server refuses', async () => {
    await using server = await openHttpHost((_, response) => response.writeHead(503).end('later'));
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'http_status', status: 503 });
    expect(server.requests).toHaveLength(1);
    expect(await leftovers()).toEqual([]);
  });

  it('resumes where a killed process stopped', async () => {
    const stalled = Promise.withResolvers<void>();
    await using server = await openHttpHost((request, response) => {
      if (request.headers.range !== undefined) return serveFile(request, response, {});
      response.writeHead(200, { ETag: '"v1"', 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, half), () => stalled.resolve());
    });
    const script = `
      const [create, download, url, path] = process.argv.slice(1);
      const { createOutboundHttp } = await import(create);
      const { downloadFile } = await import(download);
      const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test' });
      await downloadFile(outbound, url, path, { maxBytes: 1_000_000, timeoutMs: 60_000 });
    `;
    const modules = ['./create-outbound-http.ts', './download-file.ts'].map(
      (name) => new URL(name, import.meta.url).href,
    );
    const flags = ['--input-type=module', '-e', script];
    const child = spawn(process.execPath, [...flags, ...modules, server.url, path]);
    await stalled.promise;
    const sizeNow = async () => (await stat(path).catch(() => undefined))?.size;
    await vi.waitUntil(async () => (await sizeNow()) === half, patience);
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests.at(-1)?.headers.range).toBe(`bytes=${half}-`);
  });

  it('rejects with the caller’s reason and keeps the partial file', async () => {
    await using server = await openHttpHost((request, response) => {
      if (request.headers.range !== undefined) return serveFile(request, response, {});
      response.writeHead(200, { ETag: '"v1"' });
      response.write(bytes.subarray(0, half));
    });
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const onProgress = (received: number) => received === half && stop.abort(reason);
    await expect(get(server.url, { onProgress, signal: stop.signal })).rejects.toBe(reason);
    expect(pauses).toEqual([]);
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect(server.requests.at(-1)?.headers.range).toBe(`bytes=${half}-`);
  });

  it('retries after a silent connection, until its time limit', async () => {
    await using server = await openHttpHost((request, response) => {
      if (request.headers.range !== undefined) return serveFile(request, response, {});
      response.writeHead(200, { ETag: '"v1"' });
      response.write(bytes.subarray(0, half));
    });
    expect((await get(server.url, { idleTimeoutMs: 1_500 })).sizeBytes).toBe(bytes.length);
    // On a busy machine the second attempt may time out too, so the number of requests varies.
    expect(server.requests.at(-1)?.headers.range).toBe(`bytes=${half}-`);
    const asked = get(`${server.url}/again`, { timeoutMs: 100 });
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('a host that dribbles', () => {
  it('a host that dribbles is not requested again', async () => {
    await using host = await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length, ETag: '"v1"' });
      const dripping = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(dripping));
    });
    const onProgress = vi.fn();
    const minimumRate = { bytesPerSecond: 1000, periodMs: 100 };
    const got = get(`${host.url}/slow.mp3`, { minimumRate, onProgress });
    await expect(got).rejects.toMatchObject({ reason: 'too_slow' });
    expect(onProgress).toHaveBeenCalled();
    expect(host.requests).toHaveLength(1);
  });
});

describe('a file that has changed', () => {
  it('a file that has changed is restarted if the server sends another whole file', async () => {
    await using server = await serveInTurn(
      { breakAfter: half },
      { content: other, headers: { ETag: '"v2"' } },
    );
    expect((await get(server.url)).sizeBytes).toBe(other.length);
    expect((await readFile(path)).equals(other)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('a file that has changed is restarted if a server ignores If-Range and sends another validator', async () => {
    const changed = { content: other, headers: { ETag: '"v2"' }, ifRange: 'overlooked' } as const;
    await using server = await serveInTurn({ breakAfter: half }, changed);
    expect((await get(server.url)).sizeBytes).toBe(other.length);
    expect((await readFile(path)).equals(other)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      `bytes=${half}-`,
      undefined,
    ]);
  });

  it('a file that has changed is restarted if it has become shorter than the partial file', async () => {
    const changed = { content: other.subarray(0, 1000), ifRange: 'overlooked' } as const;
    await using server = await serveInTurn({ breakAfter: half }, changed);
    expect((await get(server.url)).sizeBytes).toBe(1000);
    expect((await readFile(path)).equals(other.subarray(0, 1000))).toBe(true);
  });

  it.each([
    'bytes 0-399999/400000',
    'bytes 199999-399999/400000',
    'bytes 200000-499999/500000',
    'bytes 200000-',
    'items 200000-399999/400000',
    '',
  ])('a file that has changed is restarted if a 206 says %j', async (range) => {
    let tries = 0;
    await using server = await openHttpHost((request, response) => {
      tries += 1;
      if (tries === 2) response.writeHead(206, { 'Content-Range': range }).end(other);
      else serveFile(request, response, tries === 1 ? { breakAfter: half } : {});
    });
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  it('fails if it changes every time', async () => {
    let version = 0;
    await using server = await openHttpHost((request, response) => {
      version += 1;
      const headers = { ETag: `"${version}"` };
      serveFile(request, response, { headers, breakAfter: half, ifRange: 'overlooked' });
    });
    await expect(get(server.url)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(server.requests).toHaveLength(6);
  });
});

describe('a partial file', () => {
  const lay = async (sizeBytes: number, note: object | string) => {
    await writeFile(path, bytes.subarray(0, sizeBytes));
    await writeFile(`${path}.json`, typeof note === 'string' ? note : JSON.stringify(note));
  };
  const noteFor = (url: string) => ({
    url,
    validator: '"v1"',
    contentType: 'audio/x-kept',
    totalBytes: bytes.length,
  });

  it('a partial file is used if it is complete, also after a kill', async () => {
    await using server = await serveInTurn({});
    await lay(bytes.length, noteFor(server.url));
    expect(await get(server.url)).toEqual({
      sizeBytes: bytes.length,
      contentType: 'audio/x-kept',
      finalUrl: `${server.url}/`,
    });
    expect(server.requests[0]?.headers.range).toBe('bytes=400000-');
    expect(await leftovers()).toHaveLength(1);
  });

  it.each([
    ['of another address', (url: string) => noteFor(`${url}/other`)],
    ['longer than the file', (url: string) => ({ ...noteFor(url), totalBytes: 100 })],
    ['without a validator', (url: string) => ({ ...noteFor(url), validator: null })],
    ['half-written', () => '{"url": "http://127'],
    ['empty', () => ''],
  ])('a partial file is not resumed if its note is %s', async (_, note) => {
    await using server = await serveInTurn({});
    await lay(half, note(server.url));
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests[0]?.headers.range).toBeUndefined();
  });

  it('a partial file is not resumed if the note or the file is missing', async () => {
    await using server = await serveInTurn({});
    await writeFile(path, other);
    await get(server.url);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    await rm(path);
    await writeFile(`${path}.json`, JSON.stringify(noteFor(server.url)));
    await get(server.url);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
  });

  const date = 'Mon, 02 Mar 2026 12:00:00 GMT';
  it.each([
    [{ ETag: 'W/"v1"', Date: date }, undefined],
    [{ ETag: 'v1', Date: date }, undefined],
    [{ Date: date }, undefined],
    [{ 'Last-Modified': date, Date: date }, undefined],
    [{ 'Last-Modified': 'yesterday', Date: date }, undefined],
    [{ 'Last-Modified': 'Mon, 02 Mar 2026 11:59:59 GMT', Date: date }, 'bytes=200000-'],
    [{ ETag: '"v1"', 'Accept-Ranges': 'none' }, undefined],
    [{ ETag: '"v1"', 'Accept-Ranges': 'bytes' }, 'bytes=200000-'],
  ])('a partial file is resumed if it was sent with %j: %s', async (headers, range) => {
    await using server = await serveInTurn({ headers, breakAfter: half }, { headers });
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests[1]?.headers.range).toBe(range);
  });
});

describe('a file that is too large or encoded', () => {
  it('a file that is too large or encoded is removed if it becomes too large, with or without Content-Length', async () => {
    await using server = await openHttpHost((request, response) => {
      const length = request.url === '/said' ? { 'Content-Length': bytes.length } : {};
      response.writeHead(200, { ETag: '"v1"', ...length }).end(bytes);
    });
    for (const url of [`${server.url}/said`, `${server.url}/unsaid`]) {
      const asked = get(url, { maxBytes: bytes.length - 1 });
      await expect(asked).rejects.toMatchObject({ reason: 'too_large' });
      expect(await leftovers()).toEqual([]);
    }
    expect((await get(server.url, { maxBytes: bytes.length })).sizeBytes).toBe(bytes.length);
  });

  it('a file that is too large or encoded is removed if its parts together are too large', async () => {
    await using server = await openHttpHost((request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { ETag: '"v1"' });
        response.write(bytes.subarray(0, half));
        return void breakOnceStored(response, half);
      }
      response.writeHead(206, { 'Content-Range': `bytes ${half}-399999/*` });
      response.end(bytes.subarray(half));
    });
    const asked = get(server.url, { maxBytes: 300_000 });
    await expect(asked).rejects.toMatchObject({ reason: 'too_large' });
    expect(server.requests).toHaveLength(2);
    expect(await leftovers()).toEqual([]);
  });

  it('a file that the server encodes unrequested is decoded, and never resumed', async () => {
    const coded = gzipSync(bytes);
    let tries = 0;
    await using server = await openHttpHost((_, response) => {
      tries += 1;
      response.writeHead(200, {
        ETag: '"v1"',
        'Content-Encoding': 'gzip',
        'Content-Length': coded.length,
      });
      if (tries > 1) return void response.end(coded);
      response.write(coded.subarray(0, half));
      void breakOnceStored(response, half / 2);
    });
    expect((await get(server.url)).sizeBytes).toBe(bytes.length);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
  });
});

describe('the room on the disk', () => {
  const mb = 1024 * 1024;
  const makeRoom = () =>
    new DiskRoom('/', { spareBytes: 256 * mb, readFreeBytes: async () => 700 * mb });

  it('the room on the disk is hardly reserved for a server that announces a large file and sends little of it', async () => {
    await using host = await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Length': 400 * mb }).write(Buffer.alloc(1000));
    });
    const room = makeRoom();
    const stop = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const limits = { maxBytes: 1000 * mb, signal: stop.signal, onProgress: () => resolve(), room };
    const got = get(`${host.url}/slow.mp3`, limits);
    await begun;
    using _other = await room.reserve(420 * mb);
    stop.abort();
    await expect(got).rejects.toThrow();
  });

  it('the room on the disk is reserved for the whole file before its first byte', async () => {
    await using host = await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Length': 500 * mb }).write(Buffer.alloc(1000));
    });
    const onProgress = vi.fn();
    const limits = { maxBytes: 1000 * mb, onProgress, room: makeRoom() };
    await expect(get(`${host.url}/large.mp3`, limits)).rejects.toThrow(DiskReserveError);
    expect(onProgress).not.toHaveBeenCalled();
  });
});
