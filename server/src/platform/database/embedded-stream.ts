import { Duplex } from 'node:stream';
import type { EmbeddedEngine } from './embedded-engine.ts';

interface Written {
  readonly chunk: Buffer;
}
type Done = (error?: Error | null) => void;

/** A socket for pg, backed by a session of the embedded database. */
export class EmbeddedStream extends Duplex {
  readonly #engine: EmbeddedEngine;
  #session: number | undefined;

  constructor(engine: EmbeddedEngine) {
    super();
    this.#engine = engine;
  }

  /** pg passes port and host, which have no meaning here. */
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

  /** pg corks the stream, so the messages of a query arrive together. */
  override _writev(chunks: Written[], done: Done): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: Done): void {
    done();
    this.destroy();
  }

  override _read(): void {
    // Responses are pushed on arrival.
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#session !== undefined) this.#engine.closeSession(this.#session);
    this.#session = undefined;
    done(error);
  }

  // Other socket methods that pg calls.
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
    // A copy, because pg reuses its buffers and this one is transferred. Sent at once, so that the
    // end of a session precedes the start of the next.
    if (this.#session !== undefined) {
      this.#engine.send(this.#session, new Uint8Array(Buffer.concat(chunks)));
    }
  }
}
