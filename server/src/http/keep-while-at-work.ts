import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than anything that a request does: work with foreign files has limits of its own. */
const longestWorkMs = 30 * 60_000;

/**
 * A connection without traffic is closed, but not while we are the ones who are slow: the request has
 * arrived, and its answer has not begun. Reading a large file or copying it in a store takes minutes.
 */
export function keepWhileAtWork(request: IncomingMessage, response: ServerResponse): void {
  const sinceMs = performance.now();
  response.on('timeout', (socket: Socket) => {
    const isAtWork = request.complete && !response.headersSent;
    if (isAtWork && performance.now() - sinceMs < longestWorkMs) {
      socket.setTimeout(socket.timeout ?? 0);
    } else socket.destroy();
  });
}
