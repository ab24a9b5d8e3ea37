import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ByteRange } from '../../lib/byte-range.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';

/** What a connection is given at a time; the next piece follows when the system has taken it. */
const pieceBytes = 64 * 1024;

/**
 * Few fast connections are given more at a time, which costs less for each byte. What a listener who
 * goes away was given counts as delivered, so only those get it who take a piece in this time.
 */
const few = 64;
const largePieceBytes = 256 * 1024;
const fastMs = 20;

/**
 * With so many listeners at once, the pieces that wait for slow ones could fill the memory: each is
 * then small, and a copy, which keeps no block of the store in memory.
 */
const many = 500;
const smallPieceBytes = 16 * 1024;

/** So that a fast client does not keep the others waiting. */
const bytesPerTurn = 1024 * 1024;

/** What was handed to a connection so far. */
export interface Handed {
  takenBytes: number;
}

/** Sends stored bytes to connections, each at its own pace. */
export class PieceSender {
  readonly #nowMs: () => number;
  #sending = 0;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * Ends `response`, which has its connection, with the bytes of `range`, or returns early if the
   * client goes away: at once, if it is a single piece that is in memory. Rejects with what reading
   * throws, and with RangeError if the blob ends too early: the response is to be broken off then.
   */
  send(
    response: ServerResponse,
    blob: OpenBlob,
    range: ByteRange,
    handed: Handed,
  ): Promise<void> | undefined {
    if (this.#sending < many && this.#sendAtOnce(response, blob, range, handed)) return undefined;
    return this.#sendInPieces(response, blob, range, handed);
  }

  /** False, and nothing is sent: it is more than a piece, or not in memory. */
  #sendAtOnce(
    response: ServerResponse,
    blob: OpenBlob,
    { start, end }: ByteRange,
    handed: Handed,
  ): boolean {
    const bytes = end - start + 1;
    if (bytes > pieceBytes || response.destroyed) return false;
    const first = tryRead(blob, start, bytes);
    if (first === undefined) return false;
    let last = first;
    if (first.length < bytes) {
      const rest = tryRead(blob, start + first.length, bytes - first.length);
      if (rest === undefined || first.length + rest.length < bytes) return false;
      // Two blocks that a range lies in leave in one write.
      response.write(first);
      last = rest;
    }
    response.end(last);
    handed.takenBytes += bytes;
    if (response.writableLength > 0) this.#countUntilClosed(response);
    return true;
  }

  /** The system has not taken all of it: the rest stays in memory. */
  #countUntilClosed(response: ServerResponse): void {
    this.#sending += 1;
    response.once('close', () => {
      this.#sending -= 1;
    });
  }

  async #sendInPieces(
    response: ServerResponse,
    blob: OpenBlob,
    range: ByteRange,
    handed: Handed,
  ): Promise<void> {
    this.#sending += 1;
    try {
      await this.#send(response, blob, range, handed);
    } finally {
      this.#sending -= 1;
    }
  }

  async #send(
    response: ServerResponse,
    blob: OpenBlob,
    { start, end }: ByteRange,
    handed: Handed,
  ): Promise<void> {
    const turns = new Turns(response, this.#nowMs);
    let position = start;
    while (position <= end) {
      const read = this.#read(blob, position, end - position + 1);
      const block = read instanceof Promise ? await read : read;
      if (response.destroyed) return;
      if (block.length === 0) throw new RangeError(`nothing at ${position}`);
      position += block.length;
      handed.takenBytes += block.length;
      if (position > end) response.end(block);
      else {
        const taken = turns.write(block, this.#pieceBytes(turns));
        if (taken !== undefined) await taken;
      }
      if (response.destroyed) return;
    }
  }

  #pieceBytes({ isFast }: Turns): number {
    if (this.#sending > many) return smallPieceBytes;
    return isFast && this.#sending <= few ? largePieceBytes : pieceBytes;
  }

  #read(blob: OpenBlob, position: number, leftBytes: number): Buffer | Promise<Buffer> {
    if (this.#sending <= many) return blob.read(position, Math.min(leftBytes, pieceBytes));
    const piece = blob.read(position, Math.min(leftBytes, smallPieceBytes));
    return piece instanceof Promise
      ? piece.then((bytes) => Buffer.from(bytes))
      : Buffer.from(piece);
  }
}

/** Undefined: the bytes are not in memory, or the blob ends before them. */
function tryRead(blob: OpenBlob, position: number, maxBytes: number): Buffer | undefined {
  const read = blob.read(position, maxBytes);
  if (read instanceof Promise) {
    // Whoever reads them again is told what went wrong.
    read.catch(() => undefined);
    return undefined;
  }
  return read.length === 0 ? undefined : read;
}

/** The pace of one response. */
class Turns {
  readonly #response: ServerResponse;
  readonly #nowMs: () => number;
  #unconfirmedBytes = 0;
  #bytesOfTurn = 0;
  #goOn: () => void = () => undefined;
  /** Whether it took the last piece soon. */
  isFast = false;

  constructor(response: ServerResponse, nowMs: () => number) {
    this.#response = response;
    this.#nowMs = nowMs;
    // A piece that is not taken any more is not always told so.
    response.once('close', () => this.#goOn());
  }

  /** Resolves when the next block may come: `mostBytes` may wait to be taken. */
  write(block: Buffer, mostBytes: number): Promise<void> | undefined {
    this.#unconfirmedBytes += block.length;
    this.#bytesOfTurn += block.length;
    if (this.#unconfirmedBytes >= mostBytes) return this.#finish(block);
    // What is written in one turn of the event loop leaves in one write.
    this.#response.write(block);
    return undefined;
  }

  async #finish(block: Buffer): Promise<void> {
    this.#unconfirmedBytes = 0;
    const begunMs = this.#nowMs();
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      this.#response.write(block, () => resolve());
    });
    this.isFast = this.#nowMs() - begunMs < fastMs;
    if (this.#bytesOfTurn < bytesPerTurn) return;
    this.#bytesOfTurn = 0;
    await setImmediate();
  }
}
