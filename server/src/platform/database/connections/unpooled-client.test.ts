import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientConfig } from './client-config.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { NoResponseError } from './within-time.ts';

describe('UnpooledClient', () => {
  // Another error would say that the server has refused the connection.
  it('a server that accepts a connection and never responds is silent, whatever else has a limit', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const config = clientConfig(`postgres://podstead@127.0.0.1:${port}/podstead`, 20);
    await using line = new UnpooledClient(config, 400);
    await expect(line.connect()).rejects.toBeInstanceOf(NoResponseError);
    server.close();
  });
});
