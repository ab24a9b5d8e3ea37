import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { OpenConnections } from './open-connections.ts';

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

it('connections that wait for a request are closed, also for their first; requests go on', async () => {
  let now = 0;
  const connections = new OpenConnections(() => now);
  const server = createServer((request, response) => {
    if (request.url === '/now') response.end('done');
  });
  server.on('connection', (socket) => connections.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const open = async (text: string): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const asked = text === '' ? undefined : once(server, 'request');
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    opened.defer(() => void socket.destroy());
    socket.write(text);
    await Promise.all([accepted, asked]);
    return socket;
  };
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const unused = await open('');
  const idle = await open(request('/now'));
  await once(idle, 'data');
  const busy = await open(request('/later'));

  connections.closeUnused(server);
  await once(idle, 'close');
  expect(unused.closed).toBe(false);
  now = 501;
  const young = await open('');
  connections.closeUnused(server);
  await once(unused, 'close');
  expect([busy.closed, young.closed]).toEqual([false, false]);
});
