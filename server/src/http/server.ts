import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Log } from '../platform/log/log.ts';
import { targetByHost } from './domains/route-by-host.ts';
import { FaultyFraming } from './early-refusals.ts';
import type { HttpContext } from './http-context.ts';
import { HttpError, type HttpFailure } from './http-errors.ts';
import { installRoutes, routableMethod } from './install-routes.ts';
import { startBodyDeadline } from './limits/body-deadline.ts';
import { type HostProblem, hostProblem } from './requests/host-header.ts';
import {
  type EarlyHandler,
  isolate,
  isolateRequests,
  requestIdOf,
} from './requests/isolated-requests.ts';
import { hasKeyInUrl } from './requests/key-in-url.ts';
import { afterResponses, createServerOneAtATime } from './requests/one-at-a-time.ts';
import { defaultHeaders } from './responses/default-headers.ts';
import {
  installErrorHandling,
  refuseBrokenRequest,
  refuseConnect,
  sendFailure,
} from './responses/error-handling.ts';
import type { Route } from './route.ts';
import { routeGroupOf } from './route-groups.ts';

/** LIM-18. A socket without traffic is closed, except while a route is at work (`keepWhileAtWork`). */
const idleSocketMs = 120_000;
const serverOptions = {
  /** We check it ourselves, to respond with our error body. */
  requireHostHeader: false,
  /** Bodies have their own deadline (`body-deadline.ts`), except streams. */
  requestTimeout: 0,
  headersTimeout: 20_000,
  /** Longer than the minute for which proxies usually keep a connection. */
  keepAliveTimeout: 72_000,
};

const requestTimedOut = { name: 'Error', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' };

/** Creates the HTTP server: `routes`, and the rules for every request. */
export function createHttpServer(
  http: HttpContext,
  routes: readonly Route[],
  earlyHandlers: readonly EarlyHandler[],
  onConnection: (socket: Socket) => void = () => undefined,
): FastifyInstance {
  const { log, installation } = http.ctx;
  const refuseBroken = refuseBrokenRequest(installation.baseUrl);
  const steps = [new FaultyFraming(http), ...earlyHandlers];
  const refuseTunnel = refuseConnect(installation.baseUrl);
  const prepare = (request: IncomingMessage, response: ServerResponse) => {
    // The client's next request goes to another process.
    if (http.stopping.aborted) response.shouldKeepAlive = false;
    request.url = targetByHost(http.domains, request);
    request.method = routableMethod(request.method);
    startBodyDeadline(request, () =>
      isolate(log, request.socket, () => endLate(request, response, refuseBroken)),
    );
    // A request with a wrong Host skips the other steps; the framework refuses it.
    return hostProblem(request) === undefined ? steps : steps.slice(0, 1);
  };
  const server: FastifyInstance = fastify({
    loggerInstance: withoutInfo(log) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request's id themselves, so requests share one logger.
    childLoggerFactory: (logger) => logger,
    // The server has given every request its id.
    genReqId: (request) => requestIdOf(request as IncomingMessage),
    forceCloseConnections: 'idle',
    // Requests on open connections are still handled while the server stops.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: false },
    clientErrorHandler: (error, socket) =>
      afterResponses(socket, () => isolate(log, socket, () => refuseBroken(error, socket))),
    serverFactory: (handle) =>
      createServerOneAtATime(serverOptions, isolateRequests(http, prepare, handle))
        .on('connection', (socket: Socket) => isolate(log, socket, () => onConnection(socket)))
        .on('connect', (_request, socket) => {
          // Node no longer handles the errors of this socket.
          socket.on('error', () => socket.destroy());
          afterResponses(socket, () => isolate(log, socket, () => refuseTunnel(socket)));
        })
        .setTimeout(idleSocketMs),
    // Addresses that the router cannot parse. No hook runs for them.
    frameworkErrors: (_error, request, reply) =>
      sendFailure(request, reply, malformedAddress, installation),
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

/** Ends a request whose body has taken too long. */
function endLate(
  { socket }: IncomingMessage,
  { headersSent }: ServerResponse,
  refuse: ReturnType<typeof refuseBrokenRequest>,
): void {
  if (!headersSent) refuse(requestTimedOut, socket);
  socket.destroySoon();
}

/**
 * For the framework, whose only information is that it listens: the command says that itself. Who
 * starts it on a terminal sees one line.
 */
function withoutInfo(log: Log): Log {
  return log.isLevelEnabled('info') ? log.child({}, { level: 'warn' }) : log;
}

/** The checks before all others, in the order of AUTH-5: id, key in the URL, host. */
function checkRequest(http: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  const url = request.raw.url ?? '';
  const { baseUrl } = http.ctx.installation;
  reply.headers(defaultHeaders(routeGroupOf(url), request.id, baseUrl));
  if (hasKeyInUrl(url)) {
    throw new HttpError({
      status: 400,
      code: 'invalid_request',
      message: 'An API key does not belong in a URL. Send it in the Authorization header.',
    });
  }
  const problem = hostProblem(request.raw);
  if (problem !== undefined) throw wrongHost(problem);
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
  message: 'The URL is malformed.',
  details: [{ field: 'path', message: 'The path is not valid percent-encoded text.' }],
};
