import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { UnreadAnswers } from './unread-answers.ts';

// More than the system takes for a client that does not read.
const bodyBytes = 24 * 1024 * 1024;
const mostBytes = 3 * bodyBytes;
const lookEveryMs = 50;

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A server that answers each path with its body, and tells networks apart by a header. */
async function start() {
  const networkOf = ({ headers }: IncomingMessage) => String(headers['x-network']);
  const unread = new UnreadAnswers({ networkOf, mostBytes, lookEveryMs });
  const bodies = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = bodies.get(path) ?? Buffer.alloc(bodyBytes);
    // One version for those who share it; the others are new for each request.
    if (path.startsWith('/shared')) bodies.set(path, body);
    response.end(body);
    unread.add(request, response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Resolves when the answer has begun. The rest of it stays unread. */
  const request = async (path: string, network: string, times = 1) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Network: ${network}\r\n\r\n`.repeat(times));
    await once(client, 'readable');
    return client;
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { unread, request, [Symbol.asyncDispose]: close };
}

/** Reads some 10 MB a second. */
function readSlowly(client: Socket): void {
  client.on('data', () => {
    client.pause();
    setTimeout(() => client.resume(), 5);
  });
}

/** Reads to the end; false if the connection is closed before. */
async function readsAll(client: Socket): Promise<boolean> {
  let bytes = 0;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  client.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bodyBytes) resolve(true);
  });
  client.on('close', () => resolve(false));
  if (client.destroyed) return false;
  return promise;
}

describe('UnreadAnswers', () => {
  it('closes the oldest answers of the client that leaves most unread', async () => {
    await using server = await start();
    const other = await server.request('/shared', 'reader');
    const greedy: Socket[] = [];
    for (let i = 0; i < 6; i += 1) greedy.push(await server.request('/new', 'greedy'));
    expect(server.unread.bytes).toBe(mostBytes);
    expect(await readsAll(other)).toBe(true);
    const whole = await Promise.all(greedy.map(readsAll));
    expect(whole).toEqual([false, false, false, false, true, true]);
    await expect.poll(() => server.unread.bytes).toBe(0);
  });

  it('closes connections that do not read before one that reads slowly', async () => {
    await using server = await start();
    const slow = await server.request('/new', 'slow');
    readSlowly(slow);
    const whole = readsAll(slow);
    await sleep(4 * lookEveryMs);
    // Each of them has as much unread, and the slow one is the oldest.
    const idle: Socket[] = [];
    for (let i = 0; i < 6; i += 1) idle.push(await server.request('/new', `idle ${i}`));
    expect(await whole).toBe(true);
    const closed = await Promise.all(idle.slice(0, 3).map(readsAll));
    expect(closed).toEqual([false, false, false]);
  });

  it('prefers new clients to those that have not read for long', async () => {
    await using server = await start();
    const idle: Socket[] = [];
    for (let i = 0; i < 2; i += 1) idle.push(await server.request('/new', `idle ${i}`));
    await sleep(10 * lookEveryMs);
    // The network with the most unread, but it may still begin to read.
    const honest: Socket[] = [];
    for (let i = 0; i < 3; i += 1) honest.push(await server.request('/new', 'new'));
    expect(await Promise.all(honest.map(readsAll))).toEqual([true, true, true]);
    expect(await Promise.all(idle.map(readsAll))).toEqual([false, false]);
  });

  it('does not cut off idle clients of a body that another client reads', async () => {
    await using server = await start();
    const reader = await server.request('/shared', 'reader');
    const lurker = await server.request('/shared', 'lurker');
    readSlowly(reader);
    const whole = readsAll(reader);
    await sleep(10 * lookEveryMs);
    for (let i = 0; i < 4; i += 1) await server.request('/new', `idle ${i}`);
    expect([await whole, await readsAll(lurker)]).toEqual([true, true]);
  });

  it('counts a body once, however many clients read it', async () => {
    await using server = await start();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => server.request('/shared', 'same')),
    );
    expect(server.unread.bytes).toBe(bodyBytes);
    for (const client of all) client.destroy();
    await expect.poll(() => server.unread.bytes).toBe(0);
  });

  it('counts answers that wait on one connection for their turn', async () => {
    await using server = await start();
    const few = await server.request('/new', 'pipelined', 2);
    await expect.poll(() => server.unread.bytes).toBe(2 * bodyBytes);
    few.destroy();
    await expect.poll(() => server.unread.bytes).toBe(0);
    const many = await server.request('/new', 'pipelined', 10);
    expect(await readsAll(many)).toBe(false);
    await expect.poll(() => server.unread.bytes).toBe(0);
  });
});
