import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '../../domain/foundation/errors.ts';

/** A stored file is missing, or its size differs from its row. */
export class DamagedFileError extends DomainError {
  constructor(key: string, problem: string) {
    const cause = new Error(`the stored file ${key} is damaged: ${problem}`);
    super('service_unavailable', 'This file cannot be read right now.', { cause });
    this.name = 'DamagedFileError';
  }
}

/** Passes on an exact number of bytes, and counts those that were read from it. */
export class ExactBytes extends Transform {
  readonly #sizeBytes: number;
  readonly #key: string;
  #passedBytes = 0;

  constructor(sizeBytes: number, key: string) {
    super();
    this.#sizeBytes = sizeBytes;
    this.#key = key;
  }

  /** The number of bytes that were read, without those that still wait here. */
  get takenBytes(): number {
    return this.#passedBytes - this.readableLength;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#passedBytes + chunk.length > this.#sizeBytes) {
      done(new DamagedFileError(this.#key, `it continues after ${this.#sizeBytes} bytes`));
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
  // An error of either stream ends the other one.
  return pipeline(source, new ExactBytes(sizeBytes, key), () => undefined);
}
