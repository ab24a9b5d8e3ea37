import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';

import { installErrorHandling, refuseBrokenRequest, sendFailure } from './error-handling.ts';
import { HttpError, type HttpFailure } from './errors.ts';
import type { CachedAnswers } from './fast-path.ts';
import { installRoutes } from './install-routes.ts';
import { hasKeyInUrl } from './key-in-url.ts';
import { normaliseTarget } from './request-target.ts';
import type { Route } from './route.ts';
import { addStandingHeaders } from './standing-headers.ts';
import { surfaceOf } from './surfaces.ts';
import type { Web } from './web.ts';

/** A socket on which nothing moves for this long is closed, whoever is at fault. */
const idleSocketMs = 120_000;
const serverOptions = {
  /** Missing, it is refused in the envelope like everything else. */
  requireHostHeader: false,
  /** Headers and body of a request have arrived by then. */
  requestTimeout: 30_000,
  headersTimeout: 20_000,
  /** Longer than the minute that proxies in front usually keep a connection for. */
  keepAliveTimeout: 72_000,
};

/** The whole HTTP surface: `routes` behind the rules that hold for every request. */
export function createHttpServer(
  web: Web,
  routes: readonly Route[],
  cached: CachedAnswers,
): FastifyInstance {
  const server: FastifyInstance = fastify({
    loggerInstance: web.ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged of a request names its id: no logger is made for each.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Whoever still has a connection is answered on it, and asked to open no other.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: false },
    clientErrorHandler: refuseBrokenRequest(web.ctx.installation.baseUrl),
    serverFactory: (handle) =>
      createServer(serverOptions, (request, response) => {
        request.url = normaliseTarget(request.url ?? '');
        if (!cached.answer(request, response)) handle(request, response);
      }).setTimeout(idleSocketMs),
    // What the router cannot read, before any hook.
    frameworkErrors: (_error, request, reply) =>
      sendFailure(request, reply, malformedAddress, web.ctx.installation.baseUrl),
  });
  server.addHook('onRequest', async (request, reply) => admit(web, request, reply));
  server.addHook('onResponse', async (request, reply) => {
    web.counts.add(surfaceOf(request.raw.url ?? '').name, reply.statusCode);
  });
  // Nothing here takes a body: whatever comes with a request is left unread.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
  installErrorHandling(server, web);
  installRoutes(server, web, routes);
  return server;
}

/** What is looked at before anything else, in the contract's order: id, key in the URL, limit. */
function admit(web: Web, request: FastifyRequest, reply: FastifyReply): void {
  const url = request.raw.url ?? '';
  const surface = addStandingHeaders(request, reply);
  if (hasKeyInUrl(url)) {
    throw new HttpError({
      status: 400,
      code: 'invalid_request',
      message: 'An API key does not belong in an address. Send it in the Authorization header.',
    });
  }
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw noHost();
  const dynamic = request.method === 'GET' || request.method === 'HEAD';
  if (surface.limited && dynamic && !web.mayProceed(request.raw)) {
    throw new HttpError({
      status: 429,
      code: 'rate_limited',
      message: 'Too many requests from your network. Try again in a minute.',
      headers: { 'Retry-After': '60' },
    });
  }
}

function noHost(): HttpError {
  return new HttpError({
    status: 400,
    code: 'invalid_request',
    message: 'The Host header is missing.',
    details: [{ field: 'Host', message: 'This is required.' }],
  });
}

const malformedAddress: HttpFailure = {
  status: 400,
  code: 'invalid_request',
  message: 'The address is malformed.',
  details: [{ field: 'path', message: 'The path is not valid percent-encoded text.' }],
};
