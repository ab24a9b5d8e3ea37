import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Smaller bodies are not counted: the connections of one client are limited. */
const smallestBytes = 64 * 1024;

/** As much as two of the largest feeds. */
const defaultMostBytes = 96 * 1024 * 1024;

interface Unread {
  readonly network: string;
  readonly socket: Socket;
  readonly body: Buffer;
}

/**
 * Limits the memory of large answers that their clients have not read. Each version of a body counts
 * once, however many clients read it. Beyond the limit, the client network with the most bytes
 * loses the connections of its oldest body, so a client that does not read costs others nothing.
 */
export class UnreadAnswers {
  readonly #networkOf: (request: IncomingMessage) => string;
  readonly #mostBytes: number;
  readonly #onClosed: () => void;
  /** In the order in which they began. */
  readonly #unread = new Set<Unread>();
  readonly #bySocket = new WeakMap<Socket, Set<Unread>>();
  /** The number of answers that have each body. */
  readonly #answersOf = new Map<Buffer, number>();
  #bytes = 0;

  constructor(options: {
    networkOf: (request: IncomingMessage) => string;
    mostBytes?: number;
    /** Called when connections are closed. */
    onClosed?: () => void;
  }) {
    this.#networkOf = options.networkOf;
    this.#mostBytes = options.mostBytes ?? defaultMostBytes;
    this.#onClosed = options.onClosed ?? (() => undefined);
  }

  /** The bytes of all bodies that are not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts `body` until the system has taken it. Call it when `response` has been ended with it. */
  add(request: IncomingMessage, response: ServerResponse, body: Buffer | string): void {
    if (typeof body === 'string' || body.length < smallestBytes) return;
    const { socket } = request;
    if (response.writableFinished || response.writableLength === 0 || socket.destroyed) return;
    const unread: Unread = { network: this.#networkOf(request), socket, body };
    this.#unread.add(unread);
    const answers = this.#answersOf.get(body) ?? 0;
    if (answers === 0) this.#bytes += body.length;
    this.#answersOf.set(body, answers + 1);
    this.#answersOn(socket).add(unread);
    response.once('finish', () => this.#remove(unread));
    while (this.#bytes > this.#mostBytes) this.#closeOldest();
  }

  /** A pipelined answer that waits for its turn is not told that its connection is closed. */
  #answersOn(socket: Socket): Set<Unread> {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<Unread>();
    this.#bySocket.set(socket, answers);
    socket.once('close', () => {
      for (const unread of answers) this.#remove(unread);
    });
    return answers;
  }

  #remove(unread: Unread): void {
    if (!this.#unread.delete(unread)) return;
    const { body, socket } = unread;
    this.#bySocket.get(socket)?.delete(unread);
    const left = (this.#answersOf.get(body) ?? 1) - 1;
    if (left > 0) {
      this.#answersOf.set(body, left);
      return;
    }
    this.#answersOf.delete(body);
    this.#bytes -= body.length;
  }

  #closeOldest(): void {
    const network = this.#findLargest();
    const all = [...this.#unread].filter((unread) => unread.network === network);
    const oldest = all.filter(({ body }) => body === all[0]?.body);
    for (const { socket } of oldest) {
      socket.destroy();
      // Its close event comes later.
      for (const unread of this.#bySocket.get(socket) ?? []) this.#remove(unread);
    }
    this.#onClosed();
  }

  #findLargest(): string | undefined {
    const bodiesOf = new Map<string, Set<Buffer>>();
    for (const { network, body } of this.#unread) {
      const bodies = bodiesOf.get(network) ?? new Set();
      bodiesOf.set(network, bodies.add(body));
    }
    const sumOf = (bodies: ReadonlySet<Buffer>) =>
      [...bodies].reduce((sum, { length }) => sum + length, 0);
    const sums = [...bodiesOf].map(([network, bodies]) => [network, sumOf(bodies)] as const);
    return sums.reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)[0];
  }
}
