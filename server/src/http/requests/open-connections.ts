import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The first request of a connection that is younger may be on its way. */
const youngMs = 500;

/** The open connections of a server, so that those without a request do not hold up its end. */
export class OpenConnections {
  readonly #sinceMs = new Map<Socket, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  add(socket: Socket): void {
    this.#sinceMs.set(socket, this.#nowMs());
    socket.once('close', () => this.#sinceMs.delete(socket));
  }

  /**
   * Closes connections without a request under way. Node finds only those that have had one: browsers open
   * others before they need them, and keep them for minutes.
   */
  closeUnused(server: Server): void {
    server.closeIdleConnections();
    const before = this.#nowMs() - youngMs;
    for (const [socket, sinceMs] of this.#sinceMs)
      if (socket.bytesRead === 0 && sinceMs < before) socket.destroy();
  }
}
