import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { onReferenceMachine } from '../../../test/reference-machine.ts';
import { watchEventLoop } from '../../../test/watch-event-loop.ts';
import { alwaysFresh } from '../../platform/database/announcements/freshness.ts';
import { CachedResponses } from '../cache/fast-path.ts';
import { Entry } from '../cache/podcast-cache.ts';
import type { HttpContext } from '../http-context.ts';
import { RunningRoutes } from '../limits/running-routes.ts';
import { UnreadResponses } from '../limits/unread-responses.ts';
import { WriteTurns } from '../limits/write-turns.ts';
import { RequestCounts } from '../monitoring/request-counts.ts';
import { defineRoute } from '../route.ts';
import { createHttpServer } from '../server.ts';
import { BodySender } from './body-sender.ts';
import { createPayload } from './payload.ts';

const path = '/feeds/night-signals.xml';
const mB = 1024 * 1024;
/** More than the system takes for a client that does not read. */
const longestBytes = 24 * mB;
const longestTurnMs = 100;

const sources = ['a computation that all wait for', 'the cache'] as const;

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

function createLog() {
  const log = {
    ...{ info() {}, warn() {}, debug() {}, trace() {}, fatal() {}, error() {} },
    ...{ child: () => log, isLevelEnabled: () => false },
  };
  return log;
}

/** A server with one body. Without the cache, its route waits until `compute` is called. */
async function start(source: (typeof sources)[number], bodyBytes: number) {
  const body = Buffer.alloc(bodyBytes);
  for (let at = 0; at < body.length; at += 999) body[at] = at % 251;
  const value = await createPayload('text/plain', body, { only: 'identity' });
  const entry = new Entry({ podcastId: 'p', value, validUntil: null, sizeBytes: body.length }, 0);
  const computed = Promise.withResolvers<void>();
  const unread = new UnreadResponses({ networkOf: () => 'all' });
  const bodies = new BodySender(new WriteTurns(), unread);
  const counts = new RequestCounts();
  const limits = { nowMs: () => 0, consumeLimit: () => true, freshness: alwaysFresh };
  const fastPath = new CachedResponses({ ...limits, counts, bodies });
  if (source === 'the cache') fastPath.remember(path, entry);
  let waiting = 0;
  const route = defineRoute({
    ...{ method: 'GET', path, access: 'public' },
    async handle() {
      waiting += 1;
      await computed.promise;
      return { kind: 'cached', entry };
    },
  });
  const http = {
    ctx: { log: createLog(), installation: { baseUrl: 'http://test.local' } },
    ...{ counts, bodies, running: new RunningRoutes(), closing: new AbortController().signal },
    ...{ stopping: new AbortController().signal },
    fastPath: { remember: () => undefined },
    ...{ publicReads: { begin: () => ({}) }, blockOf: () => 'all' },
    ...{ podcasts: { within: () => ({}) }, audio: { within: () => ({}) } },
    ...{ images: { within: () => ({}) }, largeBuilds: { within: () => ({}) } },
    domains: { find: () => undefined },
  } as unknown as HttpContext;
  const server = createHttpServer(http, [route], [fastPath]);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const peers: Socket[] = [];
  server.server.on('connection', (peer: Socket) => peers.push(peer));
  const open = () => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    return client;
  };
  const request = (text = 'Connection: close\r\n\r\n', client = open()) => {
    client.write(`GET ${path} HTTP/1.1\r\nHost: test.local\r\n${text}`);
    return client;
  };
  const connectAll = async (count: number) => {
    const all = Array.from({ length: count }, open);
    await Promise.all(all.map((client) => once(client, 'connect')));
    return all;
  };
  return {
    ...{ body, unread, counts, request, connectAll },
    /** Makes the response ready when so many requests wait for it. */
    async compute(requests: number) {
      if (source === 'the cache') return;
      await vi.waitFor(() => expect(waiting).toBe(requests), patience);
      computed.resolve();
    },
    /** The most bytes that were written to all connections between two turns of the event loop. */
    async mostWrittenInTurn(until: Promise<unknown>) {
      let isOver = false;
      until.finally(() => {
        isOver = true;
      });
      const countWritten = () => peers.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
      let [most, before] = [0, countWritten()];
      while (!isOver) {
        await setImmediate();
        const written = countWritten();
        most = Math.max(most, written - before);
        before = written;
      }
      return most;
    },
    [Symbol.asyncDispose]: async () => {
      server.server.closeAllConnections();
      await server.close();
    },
  };
}

/** The bodies of a connection on which the server has sent these responses. */
function bodiesOf(received: Buffer, bodyBytes: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let at = 0; at < received.length; ) {
    const begin = received.indexOf('\r\n\r\n', at) + 4;
    const head = received.toString('latin1', at, begin);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(head.toLowerCase()).toContain(`content-length: ${bodyBytes}\r\n`);
    at = begin + bodyBytes;
    bodies.push(received.subarray(begin, at));
  }
  return bodies;
}

describe.each(sources)('a large body from %s', (source) => {
  it('a large body does not block the event loop when many clients request it and do not read', async () => {
    await using server = await start(source, longestBytes);
    const unread = await server.connectAll(200);
    using eventLoop = watchEventLoop();
    for (const client of unread) server.request('\r\n', client);
    await server.compute(unread.length);
    const begun = Promise.all(unread.map((client) => once(client, 'readable')));
    expect(await server.mostWrittenInTurn(begun)).toBeLessThan(3 * mB);
    expect(onReferenceMachine(eventLoop.longestMs)).toBeLessThan(longestTurnMs);
  });

  it('a large body reaches each of many clients whole', async () => {
    await using server = await start(source, 4 * mB + 1);
    const readers = Array.from({ length: 20 }, () => server.request());
    const received = readers.map((client) => buffer(client));
    await server.compute(readers.length);
    for (const each of await Promise.all(received)) {
      expect(bodiesOf(each, server.body.length).map((body) => body.equals(server.body))).toEqual([
        true,
      ]);
    }
    expect(server.unread.bytes).toBe(0);
    const counted = [...server.counts.entries()].map(({ count }) => count);
    expect(counted).toEqual([readers.length]);
  });

  it('a large body is sent again to pipelined and later requests of a connection', async () => {
    await using server = await start(source, mB);
    const again = `GET ${path} HTTP/1.1\r\nHost: test.local\r\n`;
    const client = server.request(`\r\n${again}\r\n`);
    const received = buffer(client);
    await server.compute(1);
    await vi.waitFor(() => expect(client.bytesRead).toBeGreaterThan(2 * mB), patience);
    client.write(`${again}Connection: close\r\n\r\n`);
    const bodies = bodiesOf(await received, mB);
    expect(bodies.map((body) => body.equals(server.body))).toEqual([true, true, true]);
  });

  it('a large body is not sent for HEAD, and not if it is unchanged', async () => {
    await using server = await start(source, mB);
    const client = server.request('If-None-Match: *\r\n\r\n');
    client.write(`HEAD ${path} HTTP/1.1\r\nHost: test.local\r\nConnection: close\r\n\r\n`);
    const received = buffer(client);
    await server.compute(1);
    const [unchanged, head] = (await received).toString().split(/(?<=\r\n\r\n)/);
    expect(unchanged).toMatch(/^HTTP\/1.1 304 /);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(head).toMatch(new RegExp(`^content-length: ${mB}\r$`, 'im'));
  });

  it('a large body is no longer kept when its clients have left in the middle of it', async () => {
    await using server = await start(source, longestBytes);
    const unread = Array.from({ length: 20 }, () => server.request());
    await server.compute(unread.length);
    await Promise.all(unread.map((client) => once(client, 'readable')));
    expect(server.unread.bytes).toBe(longestBytes);
    for (const client of unread) client.destroy();
    await vi.waitFor(() => expect(server.unread.bytes).toBe(0), patience);
  });
});
