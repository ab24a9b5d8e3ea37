import { Readable } from 'node:stream';

/** What a reader may lag behind; one that is slower is dropped, connects again and reads anew. */
const maxWaitingBytes = 64 * 1024;
const reconnectMs = 2_000;

export interface StreamEvent {
  readonly name: string;
  /** JSON, so it is one line. */
  readonly data: string;
}

/** Server-sent events, on their way to one client. */
export class EventStream {
  readonly body = new Readable({ read() {}, highWaterMark: maxWaitingBytes });
  #isEnded = false;

  constructor() {
    this.#push(`retry: ${reconnectMs}\n\n`);
  }

  send({ name, data }: StreamEvent): void {
    this.#push(`event: ${name}\ndata: ${data}\n\n`);
  }

  /** A comment, so that neither proxies nor clients take the connection for dead. */
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
