import type { IncomingMessage } from 'node:http';

interface Options {
  readonly most: number;
  readonly networkOf: (request: IncomingMessage) => string;
}

/**
 * Limits what is open at once. While half of all places are left, a network may have half of these open; while a
 * tenth is left, a tenth of these. So one alone gets three of eight, and ten that take all they can leave a tenth.
 */
export class NetworkPlaces {
  readonly #options: Options;
  readonly #ofNetworks = new Map<string, number>();
  #all = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  hasPlace(request: IncomingMessage): boolean {
    const { most, networkOf } = this.#options;
    const left = most - this.#all;
    const mostOfNetwork = (left / most) * left;
    // No network has more than all have: most requests need no look-up.
    if (this.#all < mostOfNetwork) return true;
    return (this.#ofNetworks.get(networkOf(request)) ?? 0) < mostOfNetwork;
  }

  /** Takes a place until it is disposed, whether or not there is one. */
  add(request: IncomingMessage): Disposable {
    const network = this.#options.networkOf(request);
    this.#ofNetworks.set(network, (this.#ofNetworks.get(network) ?? 0) + 1);
    this.#all += 1;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#remove(network);
        isTaken = false;
      },
    };
  }

  #remove(network: string): void {
    const left = (this.#ofNetworks.get(network) ?? 1) - 1;
    if (left > 0) this.#ofNetworks.set(network, left);
    else this.#ofNetworks.delete(network);
    this.#all -= 1;
  }
}
