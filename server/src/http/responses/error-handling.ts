import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/foundation/errors.ts';
import { hideApiKeys } from '../../lib/api-key.ts';
import { firstError } from '../../lib/first-error.ts';
import { BlobStoreAwayError } from '../../platform/blob-store/blob-store.ts';
import { DiskReserveError } from '../../platform/blob-store/disk-room.ts';
import {
  isDatabaseAway,
  isStatementTimeout,
} from '../../platform/database/connections/database-away.ts';
import {
  isForeignKeyViolation,
  isTransactionConflict,
} from '../../platform/database/sql-errors.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { domainOf } from '../domains/route-by-host.ts';
import { refuseAtDomain } from '../domains/show-of-host.ts';
import type { HttpContext } from '../http-context.ts';
import {
  errorBody,
  failureOf,
  HttpError,
  type HttpFailure,
  internalFailure,
} from '../http-errors.ts';
import { readsInTurns } from '../install-routes.ts';
import type { Hosts } from '../pages/listen/view.ts';
import { ShowPageError } from '../pages/with-podcast.ts';
import { transportSecurity } from './default-headers.ts';
import { FailureLog } from './failure-log.ts';
import { type AboutShow, failureResponseTo } from './failure-response.ts';
import { clientLeaves } from './while-awaited.ts';

/** Handles all failed requests: with the error envelope, or with a page for people. */
export function installErrorHandling(server: FastifyInstance, http: HttpContext): void {
  const hosts = http.ctx.installation;
  const failures = new FailureLog();
  server.setErrorHandler(async (thrown, request, reply) => {
    const error = firstError(thrown);
    const isCutOff = request.raw.readableAborted && (error as FastifyError).code === 'ECONNRESET';
    const failure = isCutOff ? bodyCutOff : toFailure(error as FastifyError);
    // 501 is a refusal like those below 500: anybody can cause it at will.
    const isStopped = reply.raw.destroyed && isLeftBehind(http, error);
    if (failure.status >= 500 && failure.status !== 501 && !isStopped) {
      const about = { requestId: request.id, path: pathForLog(request.raw.url) };
      failures.note(temporaryReason(error, failure), (counted) => {
        if (isRefusal(error))
          request.log.warn({ ...about, ...counted, reason: error.message }, 'a request failed');
        else request.log.error({ err: error, ...about, ...counted }, 'a request failed');
      });
    }
    const about = error instanceof ShowPageError ? error.about : {};
    return sendFailure(request, reply, failure, hosts, about);
  });
  server.setNotFoundHandler(async (request, reply) => {
    if (domainOf(request.raw) !== undefined) {
      return await refuseAtDomain(readsInTurns(http, request, clientLeaves(reply)), request);
    }
    const failure: HttpFailure = {
      status: 404,
      code: 'not_found',
      message: 'Nothing was found at this URL.',
    };
    return sendFailure(request, reply, failure, hosts);
  });
}

/**
 * Anybody can cause these as often as they like, so one line of the log must do. With a cause they say
 * what a fault did, for instance a file that is missing.
 */
function isRefusal(error: unknown): error is Error {
  const kinds = [DomainError, HttpError, DiskReserveError];
  return kinds.some((kind) => error instanceof kind && error.cause === undefined);
}

/** What requests that fail like this one have in common; undefined for a fault. */
function temporaryReason(error: unknown, { status, code }: HttpFailure): string | undefined {
  const outage = outageOf(error);
  if (outage !== undefined) return outage.message;
  if (isRefusal(error)) return `${status} ${code}`;
  // Such as a missing file, whose name is in the cause: anybody can request ranges of it.
  return error instanceof DomainError && status === 503 ? String(error.cause) : undefined;
}

/** Only the path, without keys and the secret of a preview: a query may contain secrets too. */
export function pathForLog(url = ''): string {
  const path = hideApiKeys(url.split('?', 1)[0] ?? '');
  // At an own domain, the host is in front of the path.
  return path.replace(/^(\/@[^/]*)?\/preview\/.*/s, '$1/preview/…');
}

/**
 * Whether the server has stopped without waiting for the end of a request. Say it only of one whose
 * client has left or was cut off: nothing was promised to it.
 */
export function isLeftBehind({ closing }: Pick<HttpContext, 'closing'>, error: unknown): boolean {
  return closing.aborted && isDatabaseAway(error);
}

/** The client has closed the connection during a streamed body, so nobody receives this. */
const bodyCutOff: HttpFailure = {
  status: 400,
  code: 'invalid_request',
  message: 'The request body was cut off.',
};

/** Converts an error to the failure that the client gets. */
export function toFailure(error: FastifyError | HttpError | DomainError): HttpFailure {
  if (error instanceof HttpError) return error.failure;
  if (error instanceof DomainError) return failureOf(error);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  // Refusals by the framework: a body that is too large, of the wrong type or not JSON.
  if (status >= 400 && status < 500) {
    return { status, code: 'invalid_request', message: error.message };
  }
  return outageFailure(error) ?? internalFailure;
}

/** Works for any request, also if no hook has run for it. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: HttpFailure,
  hosts: Hosts,
  aboutShow: AboutShow = {},
): FastifyReply {
  const { id: requestId, headers: requestHeaders, raw } = request;
  const about = { url: raw.url ?? '', headers: requestHeaders, requestId };
  const { headers, text } = failureResponseTo(about, failure, hosts, aboutShow);
  reply.code(failure.status).removeHeader('ETag').removeHeader('Content-Encoding');
  return reply.headers(headers).serializer(String).send(text);
}

/** Responds to broken, too large or late requests on the socket itself, with the error envelope. */
export function refuseBrokenRequest(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status =
      { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
    const message = `Malformed HTTP request: ${STATUS_CODES[status]}.`;
    refuseOnSocket(socket, { status, code: 'invalid_request', message }, baseUrl);
  };
}

const notProxy: HttpFailure = {
  status: 405,
  code: 'invalid_request',
  message: 'This server is not a proxy and does not support CONNECT.',
  headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
};

/** Responds to CONNECT, for which Node makes no response: it would close the connection silently. */
export function refuseConnect(baseUrl: string) {
  return (socket: Duplex): void => {
    refuseOnSocket(socket, notProxy, baseUrl);
    socket.once('finish', () => socket.destroy());
  };
}

function refuseOnSocket(socket: Duplex, failure: HttpFailure, baseUrl: string): void {
  const [name, value] = transportSecurity(baseUrl);
  const { status, headers = {} } = failure;
  const id = randomUUID();
  const body = JSON.stringify(errorBody(failure, id, baseUrl));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${id}`,
      ...Object.entries(headers).map(([header, text]) => `${header}: ${text}`),
      ...(name === undefined ? [] : [`${name}: ${value}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface Outage {
  readonly is: (error: unknown) => boolean;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

const outages: readonly Outage[] = [
  {
    is: isTransactionConflict,
    message: 'Too much changed at the same time, so nothing was done. Try again shortly.',
    retryAfterSeconds: 1,
  },
  {
    // What a request has just found was removed before it could refer to it.
    is: isForeignKeyViolation,
    message: 'Something was removed at the same time, so nothing was done. Try again shortly.',
    retryAfterSeconds: 1,
  },
  {
    is: isStatementTimeout,
    message: 'The database is too busy right now. Try again shortly.',
    retryAfterSeconds: 5,
  },
  {
    is: (error) => error instanceof DiskReserveError,
    message: 'The server does not have enough disk space for this file. Contact the operator.',
    retryAfterSeconds: 60,
  },
  {
    is: isDiskFull,
    message: 'The server is out of disk space. Contact the operator.',
    retryAfterSeconds: 60,
  },
  {
    is: (error) => error instanceof BlobStoreAwayError,
    message: 'The service cannot use its file storage right now. Try again shortly.',
    retryAfterSeconds: 5,
  },
  {
    is: isDatabaseAway,
    message: 'The service cannot reach its database right now.',
    retryAfterSeconds: 5,
  },
];

/** The temporary error that this is; else undefined. */
export function outageOf(error: unknown): Outage | undefined {
  return outages.find(({ is }) => is(error));
}

/** The 503 for a temporary error, after which the same request can succeed; else undefined. */
function outageFailure(error: unknown): HttpFailure | undefined {
  const outage = outageOf(error);
  if (outage === undefined) return undefined;
  const headers = { 'Retry-After': String(outage.retryAfterSeconds) };
  return { status: 503, code: 'service_unavailable', message: outage.message, headers };
}
