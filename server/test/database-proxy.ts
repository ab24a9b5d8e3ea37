import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Which connections: those that LISTEN, or all. */
type Which = 'listening' | 'all';

interface Carried {
  readonly near: Socket;
  readonly far: Socket;
  isListening: boolean;
  isSilent: boolean;
}

/** A proxy between a process and PostgreSQL that breaks connections as networks do. */
export class DatabaseProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #carried = new Set<Carried>();
  #refused: Which | undefined;
  #swallowed: Which | undefined;

  constructor(target: URL) {
    this.#server = createServer((near) => this.#carry(near, target));
  }

  /** Opens a proxy. Returns the URL of the same database through it. */
  static async open(url: string): Promise<{ readonly proxy: DatabaseProxy; readonly url: string }> {
    const target = new URL(url);
    const proxy = new DatabaseProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    const by = new URL(url);
    by.hostname = '127.0.0.1';
    by.port = String((proxy.#server.address() as AddressInfo).port);
    return { proxy, url: by.href };
  }

  /** Cuts connections. New ones work. */
  cut(which: Which = 'all'): void {
    for (const one of this.#carried) {
      if (which === 'all' || one.isListening) one.near.destroy();
    }
  }

  /** Cuts present connections, and new ones until `restore`. */
  refuse(which: Which): void {
    this.#refused = which;
    this.cut(which);
  }

  /** Present connections carry no bytes any more, without being closed. */
  fallSilent(which: Which = 'all'): void {
    for (const one of this.#carried) {
      if (which === 'all' || one.isListening) one.isSilent = true;
    }
  }

  /** The same for present connections, and for new ones until `restore`. */
  swallow(which: Which): void {
    this.#swallowed = which;
    this.fallSilent(which);
  }

  /** New connections work again. Silent ones stay silent. */
  restore(): void {
    this.#refused = undefined;
    this.#swallowed = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
  }

  #carry(near: Socket, target: URL): void {
    const far = connect(Number(target.port || 5432), target.hostname);
    const one = { near, far, isListening: false, isSilent: this.#swallowed === 'all' };
    this.#carried.add(one);
    near.on('data', (bytes) => {
      // The listener sends this statement in a separate message.
      if (bytes.includes('listen "')) this.#noteListening(one);
      if (!one.isSilent) far.write(bytes);
    });
    far.on('data', (bytes) => one.isSilent || near.write(bytes));
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => undefined);
      end.on('close', () => {
        other.destroy();
        this.#carried.delete(one);
      });
    }
    if (this.#refused === 'all') near.destroy();
  }

  #noteListening(one: Carried): void {
    one.isListening = true;
    if (this.#swallowed === 'listening') one.isSilent = true;
    if (this.#refused === 'listening') one.near.destroy();
  }
}
