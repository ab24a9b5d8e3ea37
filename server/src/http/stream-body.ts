import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a request as a stream of its own: whoever destroys it, by leaving a loop over it or
 * by a pipeline that fails, can still answer. Destroying the request itself closes the connection.
 * Nothing is read before the first read here, and no more than the reader takes.
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
