import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a request. If the connection breaks or `stop` aborts, the stream ends without an
 * error. So the bytes that have arrived are stored, and the client can continue from there.
 */
export function receiveUploadBody(request: IncomingMessage, stop: AbortSignal): Readable {
  const onData = (chunk: Buffer) => {
    if (!body.push(chunk)) request.pause();
  };
  const end = () => {
    detach();
    body.push(null);
  };
  const detach = () => {
    request.off('data', onData).off('end', end).off('error', end).off('close', end);
    stop.removeEventListener('abort', end);
  };
  let isAttached = false;
  const body = new Readable({
    read() {
      if (!isAttached) {
        isAttached = true;
        if (request.destroyed || stop.aborted) return end();
        request.on('data', onData).on('end', end).on('error', end).on('close', end);
        stop.addEventListener('abort', end);
      }
      request.resume();
    },
    destroy(error, done) {
      detach();
      done(error);
    },
  });
  return body;
}
