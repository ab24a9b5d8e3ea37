import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that breaks connections, as a bad network does. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** From clients to the server, over all connections. */
  readonly sentBytes: number;
  /** Resolves when so many bytes have passed. */
  passed(bytes: number): Promise<void>;
  /** Breaks all connections at once. */
  cut(): void;
}

export async function openCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const waiting = new Map<() => void, number>();
  let sentBytes = 0;
  const count = (bytes: number) => {
    sentBytes += bytes;
    for (const [resolve, at] of waiting) {
      if (sentBytes < at) continue;
      waiting.delete(resolve);
      resolve();
    }
  };
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    client.on('data', ({ length }) => count(length)).pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of [...sockets]) socket.resetAndDestroy();
  };
  return {
    port,
    cut,
    get sentBytes() {
      return sentBytes;
    },
    passed: (bytes) =>
      sentBytes >= bytes
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.set(resolve, bytes);
          }),
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
