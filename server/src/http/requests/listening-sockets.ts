import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as SocketServer } from 'node:net';

/** Where a server listens. */
export interface Place {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/**
 * In each turn of the event loop, libuv accepts one connection of each listening socket. While many
 * clients come and go, a new one waits for as many turns as there are clients before it.
 */
const sockets = 4;
/** Only Linux divides connections among them. */
const canShare = process.platform === 'linux';

/** A server, and how its own socket begins to listen. */
interface Listener {
  readonly server: Server;
  /** Resolves to the URL. */
  listen(options: Place & { readonly reusePort?: true }): Promise<string>;
}

/** The sockets on which a server listens. It handles the connections of all. */
export class ListeningSockets {
  readonly #first: Listener;
  readonly #others: SocketServer[] = [];

  constructor(first: Listener) {
    this.#first = first;
  }

  /** Returns the URL. Throws as Node does, also if another process listens there: EADDRINUSE. */
  async open(place: Place): Promise<string> {
    if (!canShare) return await this.#first.listen(place);
    await requireFree(place);
    const url = await this.#first.listen({ ...place, reusePort: true });
    const { server } = this.#first;
    const { address: host, port } = server.address() as AddressInfo;
    for (let count = 1; count < sockets; count += 1) {
      // As Node creates the socket of an HTTP server.
      const other = createServer({ allowHalfOpen: true, noDelay: true });
      this.#others.push(other);
      other.on('connection', (socket) => server.emit('connection', socket));
      await once(other.listen({ host, port, reusePort: true }), 'listening');
      other.on('error', (error) => server.emit('error', error));
    }
    return url;
  }

  /** Closes all but the first, which is the server's. Resolves when their connections have ended. */
  async close(): Promise<void> {
    await Promise.all(
      this.#others.splice(0).map((other) => new Promise((resolve) => void other.close(resolve))),
    );
  }
}

/** Sockets that share a port would share it with another process of this user, too. */
async function requireFree(place: Place): Promise<void> {
  if (place.port === 0) return;
  const probe = createServer().listen({ ...place });
  await once(probe, 'listening');
  await new Promise((resolve) => void probe.close(resolve));
}
