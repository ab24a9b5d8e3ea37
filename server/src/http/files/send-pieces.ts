import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ByteRange } from '../../lib/byte-range.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';

/** What a connection is given at a time; the next piece follows when the system has taken it. */
const pieceBytes = 64 * 1024;

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
  #sending = 0;

  /**
   * Ends `response`, which has its connection, with the bytes of `range`, or returns early if the client goes away. Throws what
   * reading throws, and RangeError if the blob ends too early: the response is to be broken off then.
   */
  async send(
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
    const turns = new Turns(response);
    let position = start;
    while (position <= end) {
      const piece = await this.#read(blob, position, end - position + 1);
      if (response.destroyed) return;
      if (piece.length === 0) throw new RangeError(`nothing at ${position}`);
      position += piece.length;
      handed.takenBytes += piece.length;
      if (position > end) response.end(piece);
      else await turns.write(piece, this.#pieceBytes);
      if (response.destroyed) return;
    }
  }

  get #pieceBytes(): number {
    return this.#sending <= many ? pieceBytes : smallPieceBytes;
  }

  #read(blob: OpenBlob, position: number, leftBytes: number): Buffer | Promise<Buffer> {
    const piece = blob.read(position, Math.min(leftBytes, this.#pieceBytes));
    if (this.#sending <= many) return piece;
    return piece instanceof Promise
      ? piece.then((bytes) => Buffer.from(bytes))
      : Buffer.from(piece);
  }
}

/** The pace of one response. */
class Turns {
  readonly #response: ServerResponse;
  #unconfirmedBytes = 0;
  #bytesOfTurn = 0;
  #goOn: () => void = () => undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    // A piece that is not taken any more is not always told so.
    response.once('close', () => this.#goOn());
  }

  /** Resolves when the next piece may come: `mostBytes` may wait to be taken. */
  async write(piece: Buffer, mostBytes: number): Promise<void> {
    this.#unconfirmedBytes += piece.length;
    this.#bytesOfTurn += piece.length;
    // Two blocks that a range lies in leave in one write.
    if (this.#unconfirmedBytes < mostBytes) {
      this.#response.write(piece);
      return;
    }
    this.#unconfirmedBytes = 0;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      this.#response.write(piece, () => resolve());
    });
    if (this.#bytesOfTurn < bytesPerTurn) return;
    this.#bytesOfTurn = 0;
    await setImmediate();
  }
}
