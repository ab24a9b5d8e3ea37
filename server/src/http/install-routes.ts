import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { DomainError } from '../domain/foundation/errors.ts';
import { SourceChangedError } from './cache/podcast-cache.ts';
import type { HttpContext } from './http-context.ts';
import { HttpError } from './http-errors.ts';
import { withoutBodyDeadline } from './limits/body-deadline.ts';
import { createInputCheck } from './requests/check-input.ts';
import { bodyKind, readBody } from './requests/read-body.ts';
import { preflightHeaders } from './responses/default-headers.ts';
import { sendResponse } from './responses/send.ts';
import { serializerFor } from './responses/serializers.ts';
import { clientLeaves } from './responses/while-awaited.ts';
import type { Route, RouteInput, RouteResponse } from './route.ts';
import { routeGroupOf } from './route-groups.ts';

/** Stands for all methods that no route has, because each method in the router slows the start. */
const unknownMethod = 'TRACE';
const allMethods: readonly HTTPMethods[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  unknownMethod,
];
/** A show that is edited without pause changes between the steps of a request. */
const mostRuns = 10;

const methodNames: ReadonlySet<string> = new Set(allMethods);

/** The method for looking up an address in the router. */
export function routableMethod(method = ''): string {
  return methodNames.has(method) ? method : unknownMethod;
}

/** Installs the routes. Every path also responds to OPTIONS, and 405 to other methods. */
export function installRoutes(
  server: FastifyInstance,
  http: HttpContext,
  routes: readonly Route[],
): void {
  server.setSerializerCompiler<object>(({ schema }) => serializerFor(schema));
  for (const alike of Map.groupBy(routes, ({ body }) => bodyKind(body)).values()) {
    installAlike(server, http, alike);
  }
  const methodsByPath = new Map<string, Set<HTTPMethods>>();
  for (const route of routes) {
    const methods = methodsByPath.get(route.path) ?? new Set();
    methods.add(route.method);
    methodsByPath.set(route.path, route.method === 'GET' ? methods.add('HEAD') : methods);
  }
  for (const [path, methods] of methodsByPath) installRest(server, path, methods);
}

/** Routes whose bodies are read alike. They share a scope, because each slows the start. */
function installAlike(server: FastifyInstance, http: HttpContext, routes: readonly Route[]): void {
  const [{ body } = {}] = routes;
  const install = (scope: FastifyInstance) => {
    for (const route of routes) scope.route(toFastify(http, route));
  };
  if (body === undefined) install(server);
  else {
    // Only in such a scope are bodies parsed: no other route has one.
    server.register(async (scope) => {
      readBody(scope, body);
      install(scope);
    });
  }
}

type AnyInput = RouteInput<never, never, never, never, never>;

function toFastify(http: HttpContext, route: Route): RouteOptions {
  const { authenticate, body, method } = route;
  const checkInput = createInputCheck(route);
  const success = successOf(route);
  const isRead = body !== undefined && body !== 'stream';
  const callers = new WeakMap<FastifyRequest, unknown>();
  return {
    // Node omits the body for HEAD; everything else is the same.
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: route.path,
    schema: { response: responseSchemas(route) },
    onRequest: async (request, reply) => {
      if (authenticate === undefined) return;
      callers.set(request, await http.running.run(() => authenticate(http, request, reply)));
    },
    handler: async (request, reply) => {
      keepWhileAtWork(request.raw, reply.raw);
      const given = {
        params: request.params as object,
        query: request.query as object,
        body: isRead ? ((request.body ?? {}) as object) : undefined,
      };
      const caller = callers.get(request);
      const leaving = route.access === 'public' ? clientLeaves(reply) : undefined;
      const handle = async () => {
        const own = leaving === undefined ? http : inTurns(http, route, request, leaving);
        const checked = await checkInput(own, given, caller);
        const input = { ...given, caller, checked, request, reply };
        reply.code(success);
        if (body !== 'stream') return route.handle(own, input as AnyInput);
        return withoutBodyDeadline(request.raw, async () => {
          const stream = streamBody(request.raw);
          try {
            return await route.handle(own, { ...input, body: stream } as AnyInput);
          } finally {
            // Who stopped reading it must not stop the rest of the request.
            stream.destroy();
          }
        });
      };
      const result = await http.running.run(() => untilUnchanged(handle));
      return sendResponse(http, request, reply, result);
    },
  };
}

/** For a public request: its statements take turns with those of other networks, and of other shows if it reads. */
function inTurns(
  http: HttpContext,
  { method }: Route,
  request: FastifyRequest,
  leaving: AbortSignal,
): HttpContext {
  const network = http.blockOf(request.raw);
  if (method === 'GET') return readsInTurns(http, request, leaving);
  const visitor = { network: http.networkOf(request.raw), block: network };
  return { ...http, ctx: { ...http.ctx, db: http.publicReads.ofVisitor(visitor, leaving) } };
}

/** For a request without a session or key: what it reads takes the turns of its show, or of its network. */
export function readsInTurns(
  http: HttpContext,
  request: FastifyRequest,
  leaving: AbortSignal,
): HttpContext {
  const network = http.blockOf(request.raw);
  const name = nameIn(request.params as Record<string, string>);
  const read = http.publicReads.begin({ name, network }, leaving);
  const { podcasts, audio, images } = http;
  return {
    ...http,
    ctx: {
      ...http.ctx,
      get db() {
        return read.db;
      },
    },
    read,
    largeBuilds: http.largeBuilds.within(network),
    podcasts: podcasts.within(read),
    audio: audio.within(read),
    images: images.within(read),
  };
}

/**
 * What says which show a path is about: its first parameter, with its kind, because a show may have the
 * slug of something else. Undefined for a name that we don't write like this: each has any number of other
 * spellings, which would be remembered beside it.
 */
function nameIn(params: Readonly<Record<string, string>>): string | undefined {
  const [[kind, text] = []] = Object.entries(params);
  // Of a file, without what is behind its name.
  const name = kind === 'host' ? text : text?.split('.', 1)[0];
  return name !== undefined && /^[a-z0-9.-]{1,253}$/.test(name) ? `${kind} ${name}` : undefined;
}

/** Runs a public read again if its show has changed before its response was begun. */
async function untilUnchanged(handle: () => Promise<RouteResponse>): Promise<RouteResponse> {
  for (let left = mostRuns; left > 0; left -= 1) {
    try {
      return await handle();
    } catch (error) {
      if (!(error instanceof SourceChangedError)) throw error;
    }
  }
  const message = 'This show is changing too often right now. Try again shortly.';
  throw new DomainError('service_unavailable', message, { retryAfterSeconds: 5 });
}

/** The 2xx status in the route's responses. A handler may set another one itself. */
function successOf({ operation }: Route): number {
  const statuses = Object.keys(operation?.responses ?? {}).map(Number);
  return statuses.find((status) => status >= 200 && status < 300) ?? 200;
}

function responseSchemas({ operation }: Route): Record<string, TSchema> {
  const described = Object.entries(operation?.responses ?? {}).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [[status, schema]],
  );
  return Object.fromEntries(described);
}

/** One route, because each of them slows the start. */
function installRest(server: FastifyInstance, path: string, methods: Set<HTTPMethods>): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  server.route({
    method: allMethods.filter((method) => !methods.has(method)),
    url: path,
    // A body is not read for a method that is refused anyway.
    onRequest: async ({ method }) => {
      if (method === 'OPTIONS') return;
      throw new HttpError({
        status: 405,
        code: 'invalid_request',
        message: `This URL accepts ${allow}.`,
        headers: { Allow: allow },
      });
    },
    handler: async (request, reply) => {
      if (routeGroupOf(request.raw.url ?? '').cors) reply.headers(preflightHeaders);
      return reply.code(204).header('Allow', allow).send();
    },
  });
}

/** Longer than anything that a request does: work with foreign files has limits of its own. */
const longestWorkMs = 30 * 60_000;

/**
 * A connection without traffic is closed, but not while we are the ones who are slow: the request has
 * arrived, and its response has not begun. Reading a large file or copying it in a store takes minutes.
 */
function keepWhileAtWork(request: IncomingMessage, response: ServerResponse): void {
  const sinceMs = performance.now();
  response.on('timeout', (socket: Socket) => {
    const isAtWork = request.complete && !response.headersSent;
    if (isAtWork && performance.now() - sinceMs < longestWorkMs) {
      socket.setTimeout(socket.timeout ?? 0);
    } else socket.destroy();
  });
}

/**
 * The body of a request as a separate stream. Destroying it (by leaving a loop, or by a pipeline
 * that fails) keeps the connection open, so that the handler can still respond. Destroying the
 * request would close it. Reads nothing before the first read, and then only as fast as its reader.
 */
function streamBody(request: IncomingMessage): Readable {
  const onData = (chunk: Buffer) => {
    if (!body.push(chunk)) request.pause();
  };
  const onEnd = () => body.push(null);
  const onError = (error: Error) => body.destroy(error);
  let isAttached = false;
  const body = new Readable({
    read() {
      if (request.destroyed) body.destroy(request.errored ?? new Error('The request was closed.'));
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
