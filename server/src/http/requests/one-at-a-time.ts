import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection with more waiting requests is not read. */
const mostWaiting = 8;
/**
 * One chunk of a socket (64 kB) may contain thousands, which Node parses at once. They keep their headers while they
 * wait, some 2 kB each.
 */
const mostParsed = 32;

const lines = new WeakMap<Duplex, Line>();

/**
 * A server that handles the requests of each connection one after the other, and those of other
 * connections in between. Node emits all requests that a client has pipelined at once, and many are
 * handled within the same turn of the event loop. A connection with many waiting requests is not read;
 * one with many more in one chunk is closed.
 */
export function createServerOneAtATime(options: ServerOptions, handle: RequestListener): Server {
  const own = { IncomingMessage: LimitedRequest, shouldUpgradeCallback: isOneTooMany };
  const server = createServer({ ...options, ...own }, (request, response) => {
    const { socket, asksForUpgrade } = request as LimitedRequest;
    if (asksForUpgrade === true) response.shouldKeepAlive = false;
    let line = lines.get(socket);
    if (line === undefined) {
      line = new Line(socket, handle);
      lines.set(socket, line);
    }
    line.add(request, response);
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    lines.get(socket)?.drop();
    // Node no longer handles the errors of this socket.
    socket.on('error', () => undefined);
    socket.destroy();
  });
  // An expectation that we don't know may be ignored (RFC 9110 §10.1.1). Node's own 417 would pass all limits.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/**
 * A request that may not wait says that it is an upgrade, which Node asks before it makes the response:
 * nothing else ends parsing. Pausing or destroying the socket takes effect when Node has parsed the
 * whole chunk, and made two objects for each of its requests. No other request is an upgrade.
 */
class LimitedRequest extends IncomingMessage {
  // The base class sets `upgrade` before fields of this class exist.
  declare private isUpgrade: boolean | null;
  /** Its headers request another protocol, which we ignore. Node does not parse what follows. */
  declare asksForUpgrade: boolean | undefined;

  get upgrade(): boolean | null {
    return this.isUpgrade;
  }

  set upgrade(value: boolean | null) {
    if (value === true) this.asksForUpgrade = true;
    this.isUpgrade = value === null ? null : value || isOneTooMany(this);
  }
}

function isOneTooMany({ socket }: IncomingMessage): boolean {
  return lines.get(socket)?.isFull === true;
}

/**
 * Calls back when a response that Node does not make may be written to the connection: once all complete
 * requests before it have their responses. Only the first call of a connection counts, because Node reports each
 * piece that follows a broken request. The callback must not throw.
 */
export function afterResponses(socket: Duplex, refuse: () => void): void {
  const line = lines.get(socket);
  if (line === undefined) refuse();
  else line.end(refuse);
}

/** The requests of one connection that have no response yet. */
class Line {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #last: ServerResponse | undefined;
  #refuse: (() => void) | undefined;
  #isMoving = false;
  #isPaused = false;

  constructor(socket: Socket, handle: RequestListener) {
    this.#socket = socket;
    this.#handle = handle;
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostParsed;
  }

  drop(): void {
    this.#waiting.length = 0;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    // The usual request needs no listener, which would be felt in the time of a cached response.
    if (!this.#isMoving && (this.#last === undefined || this.#last.destroyed)) {
      this.#begin(request, response);
      return;
    }
    this.#waiting.push([request, response]);
    if (!this.#isMoving) this.#awaitLast();
    if (this.#waiting.length >= mostWaiting && !this.#isPaused) this.#pause();
  }

  /** Refuses what follows the complete requests. */
  end(refuse: () => void): void {
    if (this.#refuse !== undefined) return;
    // The broken request itself, if its headers were complete.
    if (this.#waiting.at(-1)?.[0].complete === false) this.#waiting.pop();
    const last = this.#last;
    if (this.#waiting.length > 0 || (last?.destroyed === false && last.req.complete)) {
      this.#refuse = refuse;
      if (!this.#isMoving) this.#awaitLast();
      // What follows is thrown away: only a socket that is read notices that its client has left.
      this.#resume();
    } else if (last?.destroyed === false && last.headersSent) {
      // Its own response has begun.
      this.#socket.destroySoon();
    } else {
      refuse();
    }
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#last = response;
    this.#handle(request, response);
  }

  #awaitLast(): void {
    this.#isMoving = true;
    this.#last?.once('close', this.#onEnd);
  }

  readonly #onEnd = (): void => {
    // Nobody receives the other responses.
    if (this.#socket.destroyed) this.#waiting.length = 0;
    else setImmediate(this.#beginNext);
  };

  readonly #beginNext = (): void => {
    this.#isMoving = false;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#begin(...next);
      if (this.#waiting.length > 0 || this.#refuse !== undefined) this.#awaitLast();
    } else {
      this.#refuse?.();
    }
    if (this.#isPaused && this.#waiting.length < mostWaiting) this.#resume();
  };

  #pause(): void {
    this.#isPaused = true;
    this.#socket.on('resume', this.#stayPaused);
    this.#socket.pause();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#socket.off('resume', this.#stayPaused);
    this.#socket.resume();
  }

  /** Node resumes a connection after each response. */
  readonly #stayPaused = (): void => void this.#socket.pause();
}
