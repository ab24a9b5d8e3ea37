import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection. One chunk of a socket (64 kB) may contain more, which Node has read by then. */
const mostWaiting = 8;

/**
 * Handles the requests of each connection one after the other, and those of other connections in
 * between. Node emits all requests that a client has pipelined at once, and many are answered within
 * the same turn of the event loop. A connection with many waiting requests is not read.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (line === undefined) {
      line = new Line(socket, handle);
      lines.set(socket, line);
    }
    line.add(request, response);
  };
}

/** The requests of one connection that are not answered yet. */
class Line {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #last: ServerResponse | undefined;
  #isMoving = false;
  #isPaused = false;

  constructor(socket: Socket, handle: RequestListener) {
    this.#socket = socket;
    this.#handle = handle;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    // The usual request needs no listener, which would be felt in the time of a cached answer.
    if (!this.#isMoving && (this.#last === undefined || this.#last.destroyed)) {
      this.#begin(request, response);
      return;
    }
    this.#waiting.push([request, response]);
    if (!this.#isMoving) this.#awaitLast();
    if (this.#waiting.length >= mostWaiting && !this.#isPaused) this.#pause();
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
    // Nobody receives the other answers.
    if (this.#socket.destroyed) this.#waiting.length = 0;
    else setImmediate(this.#beginNext);
  };

  readonly #beginNext = (): void => {
    this.#isMoving = false;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#begin(...next);
    if (this.#waiting.length > 0) this.#awaitLast();
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

  /** Node resumes a connection after each answer. */
  readonly #stayPaused = (): void => void this.#socket.pause();
}
