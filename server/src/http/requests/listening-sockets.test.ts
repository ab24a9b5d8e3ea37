import { once } from 'node:events';
import { createServer, get, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type ListenOptions } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ListeningSockets } from './listening-sockets.ts';

const host = '127.0.0.1';
const clients = 40;

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

async function serve(handle: RequestListener, wanted = 0) {
  const server = createServer(handle);
  const listen = async (options: ListenOptions) => {
    await once(server.listen(options), 'listening');
    return '';
  };
  const sockets = new ListeningSockets({ server, listen });
  opened.defer(() => sockets.close());
  opened.defer(() => void server.close().closeAllConnections());
  await sockets.open({ host, port: wanted });
  return { server, sockets, port: (server.address() as AddressInfo).port };
}

const linuxOnly = { skip: process.platform !== 'linux' };

describe('the sockets of a server', () => {
  it(
    'the sockets of a server accept several connections in a turn of the event loop',
    linuxOnly,
    async () => {
      const { server, port } = await serve(() => undefined);
      let accepted = 0;
      server.on('connection', () => {
        accepted += 1;
      });
      // The system connects them at once; the server accepts them later.
      for (let count = 0; count < clients; count += 1) {
        const client = connect(port, host).on('error', () => undefined);
        opened.defer(() => void client.destroy());
      }
      let turns = 0;
      for (; accepted < clients; turns += 1) await setImmediate();
      // One socket needs as many turns as there are clients.
      expect(turns).toBeLessThan(clients * 0.75);
    },
  );

  it('the sockets of a server share its port with no other server', async () => {
    const { port } = await serve(() => undefined);
    await expect(serve(() => undefined, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('the sockets of a server close when all responses have ended', async () => {
    const running: ServerResponse[] = [];
    const { server, sockets, port } = await serve((_, response) => void running.push(response));
    const responses = Array.from({ length: clients }, async () => {
      const [response] = await once(get({ host, port, agent: false }), 'response');
      return response.resume().statusCode as number;
    });
    await expect.poll(() => running.length).toBe(clients);
    let hasClosed = false;
    const closing = Promise.all([sockets.close(), once(server.close(), 'close')]).then(() => {
      hasClosed = true;
    });
    for (const response of running.slice(1)) response.end();
    await expect.poll(() => running.filter(({ destroyed }) => destroyed).length).toBe(clients - 1);
    expect(hasClosed).toBe(false);
    running[0]?.end();
    await closing;
    expect(new Set(await Promise.all(responses))).toEqual(new Set([200]));
    await expect(once(connect(port, host), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
