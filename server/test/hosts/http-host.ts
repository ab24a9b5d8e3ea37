import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

export interface HttpHost extends AsyncDisposable {
  /** `http://127.0.0.1:port`, or https, without a slash. */
  readonly url: string;
  readonly port: number;
  /** The requests, in order. */
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** The number of connections so far, and of those open now. */
  connections(): { opened: number; open: number };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free port of 127.0.0.1; with a certificate, an HTTPS server. */
export async function openHttpHost(handle: Handle, tls?: Certificate): Promise<HttpHost> {
  const requests: HttpHost['requests'] = [];
  let opened = 0;
  let open = 0;
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers });
    response.on('error', () => {});
    handle(request, response);
  });
  server.on('connection', (socket) => {
    opened += 1;
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => ({ opened, open }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
