import type { Socket } from 'node:net';
import { clientNetwork, limitsOfNetwork } from '../../lib/client-network.ts';

/**
 * Limits the open connections of each client network, and those of an IPv6 /48 to a multiple
 * (`limitsOfNetwork`), except those of our own proxies.
 */
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
    const limits = limitsOfNetwork(clientNetwork(address), this.#most);
    if (limits.some(({ key, most }) => this.#openOf(key) >= most)) return false;
    for (const { key } of limits) this.#open.set(key, this.#openOf(key) + 1);
    socket.once('close', () => {
      for (const { key } of limits) this.#remove(key);
    });
    return true;
  }

  #openOf(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  #remove(key: string): void {
    const left = this.#openOf(key) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}
