import { isCopyIn } from '../copy-in.ts';

const STARTUP_HEADER_BYTES = 4;
const HEADER_BYTES = 5;
// Query, Sync, Flush, FunctionCall, CopyDone, CopyFail, Terminate: the server acts on these.
const UNIT_ENDS = new Set('QSHFcfX');

/** Messages that the server can process together, and the type of the last one. */
export interface FrontendUnit {
  readonly bytes: Buffer;
  readonly last: string;
}

/** The type of the startup packet, which has none. */
export const STARTUP = '';

/**
 * Splits a client's bytes into units: the startup packet, or messages up to one that the server
 * acts on. The embedded server has no socket to wait for the rest of a message.
 */
export class FrontendBuffer {
  #pending: Buffer = Buffer.alloc(0);
  #started = false;

  push(bytes: Uint8Array): FrontendUnit[] {
    const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#pending = this.#pending.length === 0 ? more : Buffer.concat([this.#pending, more]);
    const units: FrontendUnit[] = [];
    let unitStart = 0;
    let position = 0;
    for (let end = this.#endOfMessage(0); end !== undefined; end = this.#endOfMessage(end)) {
      const last = this.#started ? String.fromCharCode(this.#pending[position] as number) : STARTUP;
      this.#started = true;
      const start = position;
      position = end;
      if (last !== STARTUP && !UNIT_ENDS.has(last)) continue;
      if (last === 'Q' && this.#isCopyIn(start, end)) continue;
      units.push({ bytes: this.#pending.subarray(unitStart, end), last });
      unitStart = end;
    }
    this.#pending = this.#pending.subarray(unitStart);
    return units;
  }

  /** The unit of a COPY includes its rows up to CopyDone, because the server reads them at once. */
  #isCopyIn(start: number, end: number): boolean {
    return isCopyIn(this.#pending.toString('utf8', start + HEADER_BYTES, end));
  }

  #endOfMessage(start: number): number | undefined {
    const typeBytes = this.#started ? 1 : 0;
    const headerBytes = this.#started ? HEADER_BYTES : STARTUP_HEADER_BYTES;
    if (this.#pending.length < start + headerBytes) return undefined;
    const end = start + typeBytes + this.#pending.readUInt32BE(start + typeBytes);
    return end <= this.#pending.length ? end : undefined;
  }
}
