import type { PGlite } from '@electric-sql/pglite';
import { FrontendBuffer, type FrontendUnit, STARTUP } from './frontend-buffer.ts';

type Send = (bytes: Uint8Array<ArrayBuffer>) => void;

const CHUNK_BYTES = 1024 * 1024;
// 'Z', a length of 5, and the transaction status.
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
const READY_BYTES = 6;
const TERMINATE = 'X';
// The response to Query, FunctionCall, Sync, the end of a COPY and the startup packet ends with
// ReadyForQuery.
const ANSWERED_BY_READY = new Set(['Q', 'F', 'S', 'c', STARTUP]);

/**
 * The single session of the embedded server, used by one client at a time. Each client gets it like
 * a new connection: no transaction, no prepared statements, default settings.
 */
export class EmbeddedSession {
  readonly #database: PGlite;
  #client: number | undefined;
  #frontend = new FrontendBuffer();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** Sends the server's response in pieces. Throws if the server is broken. */
  async answer(client: number, bytes: Uint8Array, send: Send): Promise<void> {
    if (client !== this.#client) {
      await this.#reset();
      this.#client = client;
      this.#frontend = new FrontendBuffer();
    }
    for (const unit of this.#frontend.push(bytes)) {
      if (unit.last === TERMINATE) return await this.end(client);
      await this.#execute(unit, send);
    }
  }

  async end(client: number): Promise<void> {
    if (client !== this.#client) return;
    this.#client = undefined;
    await this.#reset();
  }

  async #reset(): Promise<void> {
    // Two messages, because DISCARD ALL must be alone.
    for (const sql of ['rollback', 'discard all']) {
      await this.#execute({ bytes: queryMessage(sql), last: 'Q' }, () => undefined);
    }
  }

  async #execute(unit: FrontendUnit, send: Send): Promise<void> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let tail: Uint8Array = new Uint8Array();
    const flush = () => {
      if (size > 0) send(joined(pieces, size));
      pieces.length = 0;
      size = 0;
    };
    // Not execProtocol, which parses and keeps every response.
    await this.#database.execProtocolRawStream(unit.bytes, {
      syncToFs: false,
      onRawData: (view) => {
        const bytes = view.slice(); // the view is in the server's memory
        pieces.push(bytes);
        size += bytes.length;
        tail = Buffer.concat([tail, bytes.subarray(-READY_BYTES)]).subarray(-READY_BYTES);
        if (size >= CHUNK_BYTES) flush();
      },
    });
    flush();
    if (ANSWERED_BY_READY.has(unit.last) && !isReadyForQuery(tail)) {
      throw new Error('the database stopped in the middle of an answer');
    }
  }
}

function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(5);
  header.write('Q');
  header.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([header, text]);
}

function isReadyForQuery(tail: Uint8Array): boolean {
  return tail.length === READY_BYTES && READY_FOR_QUERY.equals(tail.subarray(0, -1));
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
