import { Duplex } from 'node:stream';
import type { EmbeddedEngine } from './embedded-engine.ts';

interface Written {
  readonly chunk: Buffer;
}
type Done = (error?: Error | null) => void;

/** What pg takes for a socket, and what is a session of the embedded database. */
export class EmbeddedStream extends Duplex {
  readonly #engine: EmbeddedEngine;
  #session: number | undefined;

  constructor(engine: EmbeddedEngine) {
    super();
    this.#engine = engine;
  }

  /** Called by pg with a port and a host, which mean nothing here. */
  connect(): this {
    this.#engine.ensureRunning().then(
      () => this.#open(),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send([chunk]);
    done();
  }

  /** The messages of one query come together, corked by pg. */
  override _writev(chunks: Written[], done: Done): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: Done): void {
    done();
    this.destroy();
  }

  override _read(): void {
    // Answers are pushed when they come; pg reads them all.
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#session !== undefined) this.#engine.closeSession(this.#session);
    this.#session = undefined;
    done(error);
  }

  // What pg calls on a socket besides.
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #open(): void {
    if (this.destroyed) return;
    this.#session = this.#engine.openSession({
      onBytes: (bytes) => this.push(bytes),
      onLost: (error) => this.destroy(error),
    });
    this.emit('connect');
  }

  #send(chunks: readonly Buffer[]): void {
    // A copy: pg goes on using its buffers, and this one is given away. It is sent at once, so that
    // the end of one session stands before the start of the next.
    if (this.#session !== undefined) {
      this.#engine.send(this.#session, new Uint8Array(Buffer.concat(chunks)));
    }
  }
}
