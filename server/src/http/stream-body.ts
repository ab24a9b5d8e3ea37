import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a request as a separate stream. Destroying it (by leaving a loop, or by a pipeline
 * that fails) keeps the connection open, so that the handler can still answer. Destroying the
 * request would close it. Reads nothing before the first read, and then only as fast as its reader.
 */
export function streamBody(request: IncomingMessage): Readable {
  const onData = (chunk: Buffer) => {
    if (!body.push(chunk)) request.pause();
  };
  const onEnd = () => body.push(null);
  const onError = (error: Error) => body.destroy(error);
  let isAttached = false;
  const body = new Readable({
    read() {
      if (request.destroyed) body.destroy(request.errored ?? new Error('The request is closed.'));
      if (!isAttached) request.on('data', onData).on('end', onEnd).on('error', onError);
      isAttached = true;
      request.resume();
    },
    destroy(error, done) {
      request.off('data', onData).off('end', onEnd).off('error', onError);
      done(error);
    },
  });
  return body;
}
