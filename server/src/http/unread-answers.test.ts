import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { UnreadAnswers } from './unread-answers.ts';

// More than the system takes for a client that does not read.
const bodyBytes = 24 * 1024 * 1024;
const mostBytes = 3 * bodyBytes;

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A server that answers each path with its body, and tells networks apart by a header. */
async function start() {
  const networkOf = ({ headers }: IncomingMessage) => String(headers['x-network']);
  const unread = new UnreadAnswers({ networkOf, mostBytes });
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
