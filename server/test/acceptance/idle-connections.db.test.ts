import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineRoute } from '../../src/http/route.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';

let app: TestApp;
let server: Server;
let open: PromiseWithResolvers<void>;
let atWork: number;
let client: Socket;

beforeEach(async () => {
  [open, atWork] = [Promise.withResolvers(), 0];
  const handle = async () => {
    atWork += 1;
    await open.promise;
    return { kind: 'nothing' } as const;
  };
  const path = '/slow';
  const endpoints = [
    defineRoute({ method: 'GET', path, access: 'public', handle }),
    defineRoute({ method: 'POST', path, access: 'public', body: 'stream', handle }),
  ];
  app = await createTestApp({}, { endpoints });
  await app.http.server.listen({ port: 0, host: '127.0.0.1' });
  server = app.http.server.server;
  // In place of two minutes.
  server.setTimeout(50);
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
});
afterEach(async () => {
  open.resolve();
  client.destroy();
  await app[Symbol.asyncDispose]();
});

const send = (head: string, body = '') =>
  client.write(`${head} /slow HTTP/1.1\r\nHost: test.local\r\n${body}`);

/** How often the connection was idle for too long. */
function countTimeouts(): () => number {
  let count = 0;
  server.on('connection', (socket) =>
    socket.on('timeout', () => {
      count += 1;
    }),
  );
  return () => count;
}

it('a connection is kept while its request is at work', async () => {
  const timeouts = countTimeouts();
  send('GET', 'Connection: close\r\n\r\n');
  await vi.waitUntil(() => timeouts() >= 3);
  open.resolve();
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 /);
});

// REQ-32
it('a connection is closed without a response if its client closes its side first', async () => {
  send('GET', '\r\n');
  await vi.waitUntil(() => atWork === 1);
  client.end();
  expect(await text(client)).toBe('');
});

it('a connection without a request is closed', async () => {
  await once(client, 'connect');
  client.resume();
  await once(client, 'close');
});

it('a connection is closed if a client does not send the rest of its body', async () => {
  send('POST', 'Content-Length: 10\r\n\r\n12345');
  await vi.waitUntil(() => atWork === 1);
  client.resume();
  await once(client, 'close');
});
