import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Measure {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Passes bytes through, and counts and hashes them. `check` may refuse them at their end. */
export class MeasuredStream extends Transform {
  readonly #hash = createHash('sha256');
  readonly #check: ((found: Measure) => void) | undefined;
  #bytes = 0;
  #found: Measure | undefined;

  constructor(check?: (found: Measure) => void) {
    super();
    this.#check = check;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, out: Buffer) => void) {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  override _flush(done: (error?: Error) => void): void {
    try {
      this.#check?.(this.finish());
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  finish(): Measure {
    this.#found ??= { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
    return this.#found;
  }
}

/** The hash and length of a stream, read to its end. The signal ends it. */
export async function measure(content: Readable, signal?: AbortSignal): Promise<Measure> {
  const measured = new MeasuredStream();
  await pipeline(content, measured.resume(), { signal });
  return measured.finish();
}
