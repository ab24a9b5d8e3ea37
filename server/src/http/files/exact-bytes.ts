import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '../../domain/errors.ts';

/** A stored file is missing, or its size differs from its row. */
export class DamagedFileError extends DomainError {
  constructor(key: string, problem: string) {
    const cause = new Error(`the stored file ${key} is damaged: ${problem}`);
    super('service_unavailable', 'This file cannot be read at the moment.', { cause });
    this.name = 'DamagedFileError';
  }
}

/** Passes on bytes that have to be of an exact number, and knows how many were taken from it. */
export class ExactBytes extends Transform {
  readonly #sizeBytes: number;
  readonly #key: string;
  #passedBytes = 0;

  constructor(sizeBytes: number, key: string) {
    super();
    this.#sizeBytes = sizeBytes;
    this.#key = key;
  }

  /** Without what still waits here to be taken, or was waiting when the client went away. */
  get takenBytes(): number {
    return this.#passedBytes - this.readableLength;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#passedBytes + chunk.length > this.#sizeBytes) {
      done(new DamagedFileError(this.#key, `it goes on after ${this.#sizeBytes} bytes`));
      return;
    }
    this.#passedBytes += chunk.length;
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const missingBytes = this.#sizeBytes - this.#passedBytes;
    const problem = `${missingBytes} of ${this.#sizeBytes} bytes are missing`;
    done(missingBytes === 0 ? null : new DamagedFileError(this.#key, problem));
  }
}

/**
 * Passes `source` through and checks that it is exactly `sizeBytes` long, as Content-Length has
 * promised. Otherwise the stream fails with DamagedFileError.
 */
export function exactBytes(source: Readable, sizeBytes: number, key: string): ExactBytes {
  // What goes wrong with the source ends the stream that is returned, and the other way round.
  return pipeline(source, new ExactBytes(sizeBytes, key), () => undefined);
}
