import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * How a network fails. The first three are silent, also towards new connections: nobody closes anything.
 * `refuse` closes the connections and the port; `trickle` lets one byte through in each second.
 */
export const networkFaults = ['requests', 'responses', 'both', 'refuse', 'trickle'] as const;
export type NetworkFault = (typeof networkFaults)[number];

const trickleMs = 1_000;
/** What a slow path takes before the sender has to wait. */
const trickleBufferBytes = 64 * 1024;

interface Carried {
  readonly near: Socket;
  readonly far: Socket;
}

/** Carries connections to another host, and fails as networks do. */
export class FaultProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #carried = new Set<Carried>();
  /** Connections that lost bytes in a silent fault: they stay silent after it. */
  readonly #lost = new WeakSet<Socket>();
  #fault: NetworkFault | undefined;
  #port = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((near) => this.#carry(near));
  }

  static async open(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(url));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The same URL through the proxy. */
  get url(): string {
    const by = new URL(this.#target);
    by.hostname = '127.0.0.1';
    by.port = String((this.#server.address() as AddressInfo).port);
    return by.href;
  }

  get connections(): number {
    return this.#carried.size;
  }

  begin(fault: NetworkFault): void {
    this.#fault = fault;
    if (fault !== 'refuse') return;
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#server.close();
    for (const { near } of this.#carried) near.resetAndDestroy();
  }

  async end(): Promise<void> {
    if (this.#fault === 'refuse') {
      this.#server.listen(this.#port, '127.0.0.1');
      await once(this.#server, 'listening');
    }
    this.#fault = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const { near } of this.#carried) near.destroy();
  }

  #carry(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    const one = { near, far };
    this.#carried.add(one);
    this.#pass(near, far, 'requests');
    this.#pass(far, near, 'responses');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => undefined);
      end.on('close', () => {
        // In a silent fault, the other side learns nothing of the end.
        if (this.#isSilent()) setTimeout(() => other.destroy(), 60_000).unref();
        else other.destroy();
        this.#carried.delete(one);
      });
    }
  }

  #isSilent(): boolean {
    return this.#fault !== undefined && this.#fault !== 'refuse' && this.#fault !== 'trickle';
  }

  #pass(from: Socket, to: Socket, direction: 'requests' | 'responses'): void {
    const waiting: Buffer[] = [];
    let waitingBytes = 0;
    const drip = setInterval(() => {
      const all = Buffer.concat(waiting.splice(0));
      const now = this.#fault === 'trickle' ? all.subarray(0, 1) : all;
      if (now.length > 0 && !to.destroyed) to.write(now);
      const rest = all.subarray(now.length);
      waitingBytes = rest.length;
      if (rest.length > 0) waiting.push(rest);
      if (waitingBytes < trickleBufferBytes) from.resume();
    }, trickleMs);
    drip.unref();
    from.on('close', () => clearInterval(drip));
    to.on('drain', () => from.resume());
    from.on('data', (bytes: Buffer) => {
      if (this.#fault === direction || this.#fault === 'both') this.#lost.add(from);
      // A stream never continues behind a gap.
      if (this.#lost.has(from)) return;
      if (this.#fault === 'trickle' || waitingBytes > 0) {
        waiting.push(bytes);
        waitingBytes += bytes.length;
        if (waitingBytes >= trickleBufferBytes) from.pause();
      } else if (!to.write(bytes)) from.pause();
    });
  }
}
