import { Readable } from 'node:stream';

/** A client with more unread bytes is disconnected. It reconnects and reads the present state. */
const maxWaitingBytes = 64 * 1024;
const reconnectMs = 2_000;

export interface StreamEvent {
  readonly name: string;
  /** JSON, so it is one line. */
  readonly data: string;
  /** The position that the client has reached with it. A browser that reconnects sends it. */
  readonly id?: string;
}

/** A stream of server-sent events for one client. */
export class EventStream {
  readonly body = new Readable({ read() {}, highWaterMark: maxWaitingBytes });
  #isEnded = false;

  constructor() {
    this.#push(`retry: ${reconnectMs}\n\n`);
  }

  send({ name, data, id }: StreamEvent): void {
    this.#push(`event: ${name}\ndata: ${data}\n${id === undefined ? '' : `id: ${id}\n`}\n`);
  }

  /** Sends a comment, so that proxies and clients see that the connection is alive. */
  beat(): void {
    this.#push(':\n\n');
  }

  end(): void {
    if (!this.#isEnded) this.body.push(null);
    this.#isEnded = true;
  }

  #push(text: string): void {
    if (this.#isEnded || this.body.destroyed) return;
    if (this.body.readableLength + text.length > maxWaitingBytes) this.body.destroy();
    else this.body.push(text);
  }
}
