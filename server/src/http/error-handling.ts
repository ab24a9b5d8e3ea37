import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { DomainError } from '../domain/errors.ts';
import { hideApiKeys } from '../lib/api-key.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { isTransactionConflict } from '../platform/database/sql-errors.ts';
import {
  awayFailure,
  conflictFailure,
  errorBody,
  failureOf,
  HttpError,
  type HttpFailure,
  internalFailure,
} from './errors.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { pageType } from './pages/page.ts';
import { addStandingHeaders } from './standing-headers.ts';
import type { Web } from './web.ts';

/** Every way a request can fail ends here, in the envelope or, for people, on a page. */
export function installErrorHandling(server: FastifyInstance, web: Web): void {
  const { baseUrl } = web.ctx.installation;
  server.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error as FastifyError);
    if (failure.status >= 500) {
      // The path alone: a query may hold what does not belong in a log, and so may an address mistyped.
      const path = hideApiKeys(request.raw.url?.split('?', 1)[0] ?? '');
      request.log.error({ err: error, requestId: request.id, path }, 'a request failed');
    }
    return sendFailure(request, reply, failure, baseUrl);
  });
  server.setNotFoundHandler((request, reply) => {
    const failure: HttpFailure = {
      status: 404,
      code: 'not_found',
      message: 'There is nothing at this address.',
    };
    return sendFailure(request, reply, failure, baseUrl);
  });
}

/** What a request that failed so is answered with. */
export function toFailure(error: FastifyError | HttpError | DomainError): HttpFailure {
  if (error instanceof HttpError) return error.failure;
  if (error instanceof DomainError) return failureOf(error);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  // What the framework itself refuses: a body too large, of the wrong type, not JSON.
  if (status >= 400 && status < 500) {
    return { status, code: 'invalid_request', message: error.message };
  }
  if (isTransactionConflict(error)) return conflictFailure;
  return isDatabaseAway(error) ? awayFailure : internalFailure;
}

/** For any request, also one that no hook has seen. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: HttpFailure,
  baseUrl: string,
): FastifyReply {
  reply.code(failure.status);
  // Once more: an address that the router cannot read has passed no hook.
  const surface = addStandingHeaders(request, reply);
  reply.header('Cache-Control', 'no-store');
  reply.removeHeader('ETag').removeHeader('Content-Encoding');
  reply.headers(failure.headers ?? {});
  // No scheme of HTTP is what signs people in: a browser would ask them for a password of its own.
  if (failure.status === 401 && surface.name !== 'app') reply.header('WWW-Authenticate', 'Bearer');
  if (surface.htmlErrors) {
    const page = renderErrorPage(failure, request.id, surface.name === 'embed');
    return reply.headers(page.headers).type(pageType).send(page.text);
  }
  return reply
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(errorBody(failure, request.id, baseUrl));
}

/** What is not HTTP, or too much of it: answered on the bare socket, in the envelope all the same. */
export function refuseBrokenRequest(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status =
      { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
    const id = randomUUID();
    const message = `The request is not HTTP as it should be: ${STATUS_CODES[status]}.`;
    const failure: HttpFailure = { status, code: 'invalid_request', message };
    const body = JSON.stringify(errorBody(failure, id, baseUrl));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        `X-Request-Id: ${id}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
}
