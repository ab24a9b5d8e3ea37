import type { ServerResponse } from 'node:http';
import type { ByteRange } from '../../lib/byte-range.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';
import { PacedResponse, type WriteTurns } from '../limits/write-turns.ts';

/** The size of a piece. The next one follows when the system has taken the last. */
const pieceBytes = 64 * 1024;

/**
 * With few connections, fast ones get larger pieces, which cost less CPU time for each byte. Pieces
 * of a client that disconnects count as delivered, so a piece is larger than the last one only if
 * that was taken within `fastMs`.
 */
const few = 64;
const largePieceBytes = 1024 * 1024;
const growth = 4;
const fastMs = 20;

/**
 * With many connections, pieces that wait for slow clients could fill the memory. They are then
 * small, and copies, so that they do not keep whole blocks of the store in memory.
 */
const many = 500;
const smallPieceBytes = 16 * 1024;

/** The number of bytes that were handed to a connection. */
export interface Handed {
  takenBytes: number;
}

/** Sends stored bytes to connections, each at its own pace and in turns. */
export class PieceSender {
  readonly #turns: WriteTurns;
  readonly #nowMs: () => number;
  #sending = 0;

  constructor(turns: WriteTurns, nowMs = () => performance.now()) {
    this.#turns = turns;
    this.#nowMs = nowMs;
  }

  /**
   * Sends the bytes of `range` and ends `response`, which must have its connection. Returns
   * undefined if that is done at once: for a single piece in memory. Else resolves at the end, or
   * when the client disconnects. Rejects with read errors, and with RangeError if the blob ends too
   * early; the caller must then destroy the response.
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

  /** Returns false without sending if it is more than a piece, not in memory, or must wait. */
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
    const isWhole = first.length === bytes;
    const rest = isWhole ? first : tryRead(blob, start + first.length, bytes - first.length);
    if (rest === undefined || (!isWhole && first.length + rest.length < bytes)) return false;
    if (!this.#turns.tryTake(bytes)) return false;
    // Node sends both blocks of the range in one write.
    if (!isWhole) response.write(first);
    response.end(rest);
    handed.takenBytes += bytes;
    if (response.writableLength > 0) this.#countUntilClosed(response);
    return true;
  }

  /** Counts the response until it is closed, because a part of it waits in memory. */
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
    const paced = new PacedResponse(this.#turns, response);
    const pieces = new Pieces(paced, response, this.#nowMs);
    let position = start;
    while (position <= end) {
      const read = this.#read(blob, position, end - position + 1);
      const block = read instanceof Promise ? await read : read;
      if (response.destroyed) return;
      if (block.length === 0) throw new RangeError(`nothing at ${position}`);
      const turn = paced.turn(block.length);
      if (turn !== undefined) await turn;
      if (response.destroyed) return;
      position += block.length;
      handed.takenBytes += block.length;
      if (position > end) response.end(block);
      else {
        const taken = pieces.write(block, this.#pieceBytes(pieces));
        if (taken !== undefined) await taken;
      }
      if (response.destroyed) return;
    }
  }

  #pieceBytes({ nextPieceBytes }: Pieces): number {
    if (this.#sending > many) return smallPieceBytes;
    return this.#sending <= few ? nextPieceBytes : pieceBytes;
  }

  #read(blob: OpenBlob, position: number, leftBytes: number): Buffer | Promise<Buffer> {
    if (this.#sending <= many) return blob.read(position, Math.min(leftBytes, pieceBytes));
    const piece = blob.read(position, Math.min(leftBytes, smallPieceBytes));
    return piece instanceof Promise
      ? piece.then((bytes) => Buffer.from(bytes))
      : Buffer.from(piece);
  }
}

/** Undefined if the bytes are not in memory, or if the blob ends before them. */
function tryRead(blob: OpenBlob, position: number, maxBytes: number): Buffer | undefined {
  const read = blob.read(position, maxBytes);
  if (read instanceof Promise) {
    // The next read of these bytes gets the error.
    read.catch(() => undefined);
    return undefined;
  }
  return read.length === 0 ? undefined : read;
}

/** The pieces of one response. */
class Pieces {
  readonly #paced: PacedResponse;
  readonly #response: ServerResponse;
  readonly #nowMs: () => number;
  #unconfirmedBytes = 0;
  /** Larger if it took the last piece quickly. */
  nextPieceBytes = pieceBytes;

  constructor(paced: PacedResponse, response: ServerResponse, nowMs: () => number) {
    this.#paced = paced;
    this.#response = response;
    this.#nowMs = nowMs;
  }

  /** Resolves when the next block may be written, so that at most `mostBytes` wait. */
  write(block: Buffer, mostBytes: number): Promise<void> | undefined {
    this.#unconfirmedBytes += block.length;
    if (this.#unconfirmedBytes >= mostBytes) return this.#finish(block);
    // Node sends everything that is written in one turn of the event loop in one write.
    this.#response.write(block);
    return undefined;
  }

  async #finish(block: Buffer): Promise<void> {
    this.#unconfirmedBytes = 0;
    const begunMs = this.#nowMs();
    await this.#paced.write(block);
    const isFast = this.#nowMs() - begunMs < fastMs;
    this.nextPieceBytes = isFast
      ? Math.min(this.nextPieceBytes * growth, largePieceBytes)
      : pieceBytes;
  }
}
