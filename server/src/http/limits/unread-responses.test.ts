import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readingBytes, takenBytesOf, UnreadResponses } from './unread-responses.ts';

// More than the system takes for a client that does not read.
const bodyBytes = 24 * 1024 * 1024;
const mostBytes = 3 * bodyBytes;
const lookEveryMs = 1_000;

const clients: Socket[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  vi.useRealTimers();
});

/** A server that sends a body for each path, and tells networks apart by a header. */
async function start() {
  const networkOf = ({ headers }: IncomingMessage) => String(headers['x-network']);
  const unread = new UnreadResponses({ networkOf, mostBytes, lookEveryMs });
  const bodies = new Map<string, Buffer>();
  const peers = new Map<number | undefined, Socket>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = bodies.get(path) ?? Buffer.alloc(bodyBytes);
    // One version for those who share it; the others are new for each request.
    if (path.startsWith('/shared')) bodies.set(path, body);
    response.end(body);
    unread.add(request, response, body);
  });
  server.on('connection', (socket: Socket) => peers.set(socket.remotePort, socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Resolves when the response has begun. The rest of it stays unread. */
  const request = async (path: string, network: string, times = 1) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Network: ${network}\r\n\r\n`.repeat(times));
    await once(client, 'readable');
    return client;
  };
  /** Reads of each client what makes it a reading one, and no more. */
  const readSome = async (slow: readonly Socket[]) => {
    const takenOf = ({ localPort }: Socket) => takenBytesOf(peers.get(localPort) as Socket);
    look(2);
    const before = slow.map(takenOf);
    for (const [i, client] of slow.entries()) {
      while (takenOf(client) < (before[i] ?? 0) + readingBytes)
        if (client.read() === null) await once(client, 'readable');
    }
    look(1);
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { unread, request, readSome, [Symbol.asyncDispose]: close };
}

/** The server looks at its clients only when a test says so. */
function look(times: number): void {
  vi.advanceTimersByTime(times * lookEveryMs);
}

/** Reads to the end; false if the connection is closed before. */
async function readsAll(client: Socket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  client.on('data', () => {
    if (client.bytesRead > bodyBytes) resolve(true);
  });
  client.on('close', () => resolve(false));
  if (client.destroyed) return false;
  return promise;
}

describe('UnreadResponses', () => {
  it('closes the oldest responses of the client that leaves most unread', async () => {
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
    await server.readSome([slow]);
    // Each of them has as much unread, and the slow one is the oldest.
    const idle: Socket[] = [];
    for (let i = 0; i < 6; i += 1) idle.push(await server.request('/new', `idle ${i}`));
    expect(await readsAll(slow)).toBe(true);
    const closed = await Promise.all(idle.slice(0, 3).map(readsAll));
    expect(closed).toEqual([false, false, false]);
  });

  it('prefers new clients to those that have not read for long', async () => {
    await using server = await start();
    const idle: Socket[] = [];
    for (let i = 0; i < 2; i += 1) idle.push(await server.request('/new', `idle ${i}`));
    look(10);
    // Each has as much unread, but may still begin to read.
    const honest: Socket[] = [];
    for (let i = 0; i < 3; i += 1) honest.push(await server.request('/new', `new ${i}`));
    expect(await Promise.all(honest.map(readsAll))).toEqual([true, true, true]);
    expect(await Promise.all(idle.map(readsAll))).toEqual([false, false]);
  });

  it('UnreadResponses does not cut off idle clients of a body that another client reads', async () => {
    await using server = await start();
    const reader = await server.request('/shared', 'reader');
    const lurker = await server.request('/shared', 'lurker');
    await server.readSome([reader]);
    for (let i = 0; i < 4; i += 1) await server.request('/new', `idle ${i}`);
    expect(await Promise.all([reader, lurker].map(readsAll))).toEqual([true, true]);
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

  it('counts responses that wait on one connection for their turn', async () => {
    await using server = await start();
    const few = await server.request('/new', 'pipelined', 2);
    await expect.poll(() => server.unread.bytes).toBe(2 * bodyBytes);
    few.destroy();
    await expect.poll(() => server.unread.bytes).toBe(0);
    const many = await server.request('/new', 'pipelined', 10);
    expect(await readsAll(many)).toBe(false);
    await expect.poll(() => server.unread.bytes).toBe(0);
  });

  it('prefers a new client to one that slowly reads several bodies', async () => {
    await using server = await start();
    const greedy: Socket[] = [];
    for (let i = 0; i < 3; i += 1) greedy.push(await server.request('/new', 'greedy'));
    await server.readSome(greedy);
    expect(server.unread.bytes).toBe(mostBytes);
    expect(await readsAll(await server.request('/new', 'honest 1'))).toBe(true);
    expect(await readsAll(await server.request('/new', 'honest 2'))).toBe(true);
    // Its oldest body made room for the first of them, and then there was enough.
    expect(await Promise.all(greedy.map(readsAll))).toEqual([false, true, true]);
  });

  it('closes one of several bodies of a reading client before those that others do not read', async () => {
    await using server = await start();
    const idle = await server.request('/new', 'idle');
    const greedy: Socket[] = [];
    for (let i = 0; i < 2; i += 1) greedy.push(await server.request('/new', 'greedy'));
    await server.readSome(greedy);
    look(10);
    await server.readSome(greedy);
    const other = await server.request('/new', 'other');
    expect(await Promise.all([...greedy, idle, other].map(readsAll))).toEqual([
      ...[false, true],
      ...[true, true],
    ]);
  });

  it('leaves each network that reads one body, so a further client does not get its own', async () => {
    await using server = await start();
    const slow: Socket[] = [];
    for (let i = 0; i < 3; i += 1) slow.push(await server.request('/new', `slow ${i}`));
    await server.readSome(slow);
    expect(await readsAll(await server.request('/new', 'late'))).toBe(false);
    expect(server.unread.bytes).toBe(mostBytes);
    expect(await Promise.all(slow.map(readsAll))).toEqual([true, true, true]);
  });

  it('keeps the body that a client reads when a network with too much has it too', async () => {
    await using server = await start();
    const reader = await server.request('/shared', 'reader');
    const greedy = [await server.request('/shared', 'greedy')];
    for (let i = 0; i < 2; i += 1) greedy.push(await server.request('/new', 'greedy'));
    await server.readSome([reader, ...greedy]);
    for (let i = 0; i < 2; i += 1) greedy.push(await server.request('/new', 'greedy'));
    expect(await readsAll(reader)).toBe(true);
    const whole = await Promise.all(greedy.map(readsAll));
    expect(whole.filter((isWhole) => !isWhole)).toHaveLength(2);
  });

  it('lets a network that is alone use all of it', async () => {
    await using server = await start();
    const all: Socket[] = [];
    for (let i = 0; i < 3; i += 1) all.push(await server.request('/new', 'alone'));
    look(10);
    expect(server.unread.bytes).toBe(mostBytes);
    expect(await Promise.all(all.map(readsAll))).toEqual([true, true, true]);
  });
});
