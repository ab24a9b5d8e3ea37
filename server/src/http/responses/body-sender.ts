import type { IncomingMessage, ServerResponse } from 'node:http';
import { smallestBytes, type UnreadResponses } from '../limits/unread-responses.ts';
import { PacedResponse, type WriteTurns } from '../limits/write-turns.ts';

/** The next piece follows when the system has taken the last, so a turn has pieces of several clients. */
const pieceBytes = 256 * 1024;

/** Sends bodies that are in memory. Pieces are parts of the body that all of its clients share. */
export class BodySender {
  readonly #turns: WriteTurns;
  readonly #unread: Pick<UnreadResponses, 'add'>;

  constructor(turns: WriteTurns, unread: Pick<UnreadResponses, 'add'>) {
    this.#turns = turns;
    this.#unread = unread;
  }

  /** Whether a body may be sent in pieces, and is counted while it is not read. */
  isLarge(body: Buffer | string): body is Buffer {
    return typeof body !== 'string' && body.length >= smallestBytes;
  }

  /** Ends a response to a GET or a write, whose head has been made, with a body. */
  send(request: IncomingMessage, response: ServerResponse, body: Buffer | string): void {
    if (!this.isLarge(body)) {
      response.end(body, 'latin1');
      return;
    }
    if (this.#isSentAtOnce(response, body)) response.end(body);
    else this.#sendInPieces(response, body).catch((error) => response.destroy(error));
    this.#unread.add(request, response, body);
  }

  #isSentAtOnce({ socket }: ServerResponse, { length }: Buffer): boolean {
    // A response without a connection waits for an earlier one; Node keeps what is written to it.
    return socket === null || (length <= pieceBytes && this.#turns.tryTake(length));
  }

  async #sendInPieces(response: ServerResponse, body: Buffer): Promise<void> {
    const paced = new PacedResponse(this.#turns, response);
    for (let at = 0; at < body.length && !response.destroyed; at += pieceBytes) {
      const piece = body.subarray(at, at + pieceBytes);
      const turn = paced.turn(piece.length);
      if (turn !== undefined) await turn;
      if (response.destroyed) return;
      if (at + pieceBytes >= body.length) response.end(piece);
      else await paced.write(piece);
    }
  }
}
