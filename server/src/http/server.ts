import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { startBodyDeadline } from './body-deadline.ts';
import { addDefaultHeaders } from './default-headers.ts';
import {
  installErrorHandling,
  refuseBrokenRequest,
  refuseConnect,
  sendFailure,
} from './error-handling.ts';
import { HttpError, type HttpFailure } from './errors.ts';
import { type HostProblem, hostProblem } from './host-header.ts';
import type { HttpContext } from './http-context.ts';
import { installRoutes, routableMethod } from './install-routes.ts';
import { hasKeyInUrl } from './key-in-url.ts';
import { normalizeTarget } from './request-target.ts';
import type { Route } from './route.ts';
import { routeGroupOf } from './route-groups.ts';

/** A socket without traffic for this long is closed. */
const idleSocketMs = 120_000;
const serverOptions = {
  /** We check it ourselves, to answer with our error body. */
  requireHostHeader: false,
  /** Bodies have their own deadline (`body-deadline.ts`), except streams. */
  requestTimeout: 0,
  headersTimeout: 20_000,
  /** Longer than the minute for which proxies usually keep a connection. */
  keepAliveTimeout: 72_000,
};

const requestTimedOut = { name: 'Error', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' };

/** Answers a request before the framework, or passes it on. */
export interface FirstStep {
  handle(request: IncomingMessage, response: ServerResponse, goOn: () => void): void;
}

/** Creates the HTTP server: `routes`, and the rules for every request. */
export function createHttpServer(
  http: HttpContext,
  routes: readonly Route[],
  firstSteps: readonly FirstStep[],
): FastifyInstance {
  const refuseBroken = refuseBrokenRequest(http.ctx.installation.baseUrl);
  const server: FastifyInstance = fastify({
    loggerInstance: http.ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request's id themselves, so requests share one logger.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: false },
    clientErrorHandler: refuseBroken,
    serverFactory: (handle) =>
      createServer(serverOptions, (request, response) => {
        request.url = normalizeTarget(request.url ?? '');
        request.method = routableMethod(request.method);
        startBodyDeadline(request, () => {
          if (!response.headersSent) refuseBroken(requestTimedOut, request.socket);
          request.socket.destroySoon();
        });
        // A request with a wrong Host skips these steps; the framework refuses it.
        const steps = hostProblem(request) === undefined ? firstSteps : [];
        const takeStep = (at: number): void => {
          const step = steps[at];
          if (step === undefined) handle(request, response);
          else step.handle(request, response, () => takeStep(at + 1));
        };
        takeStep(0);
      })
        .on('connect', refuseConnect(http.ctx.installation.baseUrl))
        .setTimeout(idleSocketMs),
    // Addresses that the router cannot parse. No hook runs for them.
    frameworkErrors: (_error, request, reply) =>
      sendFailure(request, reply, malformedAddress, http.ctx.installation),
  });
  server.addHook('onRequest', async (request, reply) => checkRequest(http, request, reply));
  server.addHook('onResponse', async (request, reply) => {
    http.counts.add(routeGroupOf(request.raw.url ?? '').name, reply.statusCode);
  });
  // By default, bodies are not read. Routes with a body add their own parser.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
  installErrorHandling(server, http);
  installRoutes(server, http, routes);
  return server;
}

/** The checks before all others, in the contract's order: id, key in the URL, limit. */
function checkRequest(http: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  const url = request.raw.url ?? '';
  const group = addDefaultHeaders(request, reply, http.ctx.installation.baseUrl);
  if (hasKeyInUrl(url)) {
    throw new HttpError({
      status: 400,
      code: 'invalid_request',
      message: 'An API key does not belong in an address. Send it in the Authorization header.',
    });
  }
  const problem = hostProblem(request.raw);
  if (problem !== undefined) throw wrongHost(problem);
  const dynamic = request.method === 'GET' || request.method === 'HEAD';
  if (group.limited && dynamic && !http.consumeLimit(request.raw)) {
    throw new HttpError({
      status: 429,
      code: 'rate_limited',
      message: 'Too many requests from your network. Try again in a minute.',
      headers: { 'Retry-After': '60' },
    });
  }
}

function wrongHost(problem: HostProblem): HttpError {
  const [message, detail] = hostRefusals[problem];
  return new HttpError({
    status: 400,
    code: 'invalid_request',
    message,
    details: [{ field: 'Host', message: detail }],
  });
}

const hostRefusals: Readonly<Record<HostProblem, readonly [message: string, detail: string]>> = {
  missing: ['The Host header is missing or empty.', 'This is required.'],
  repeated: ['There is more than one Host header.', 'Send exactly one.'],
  malformed: [
    'The Host header is malformed.',
    'This must be a host name or IP address, and a port where it is needed: example.com:8080.',
  ],
};

const malformedAddress: HttpFailure = {
  status: 400,
  code: 'invalid_request',
  message: 'The address is malformed.',
  details: [{ field: 'path', message: 'The path is not valid percent-encoded text.' }],
};
