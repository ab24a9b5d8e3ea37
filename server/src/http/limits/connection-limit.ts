import type { Socket } from 'node:net';
import { clientNetwork } from '../../lib/client-network.ts';

/** Limits the open connections of each client network, except those of our own proxies. */
export class ConnectionLimit {
  readonly #most: number;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, number>();

  /** `most`: 0 switches the limit off. */
  constructor(most: number, isProxy: (address: string) => boolean) {
    this.#most = most;
    this.#isProxy = isProxy;
  }

  /** Counts a connection until it is closed. False if its client has too many already. */
  add(socket: Socket, address: string): boolean {
    if (this.#most === 0 || this.#isProxy(address)) return true;
    const network = clientNetwork(address);
    const open = this.#open.get(network) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(network, open + 1);
    socket.once('close', () => this.#remove(network));
    return true;
  }

  #remove(network: string): void {
    const left = (this.#open.get(network) ?? 1) - 1;
    if (left > 0) this.#open.set(network, left);
    else this.#open.delete(network);
  }
}
