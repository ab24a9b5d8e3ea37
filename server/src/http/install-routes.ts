import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { preflightHeaders } from './cors.ts';
import { HttpError } from './errors.ts';
import { withoutNullBranches } from './null-branch.ts';
import { readBody } from './read-body.ts';
import type { Route, RouteInput } from './route.ts';
import { sendAnswer } from './send.ts';
import { surfaceOf } from './surfaces.ts';
import { createInputCheck } from './validation.ts';
import type { Web } from './web.ts';

/** All that Node reads; CONNECT never comes to a route. */
const allMethods = METHODS.filter((method) => method !== 'CONNECT');

/** Routes become handlers; every path also answers OPTIONS, and 405 to what it does not know. */
export function installRoutes(server: FastifyInstance, web: Web, routes: readonly Route[]): void {
  for (const method of allMethods) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  }
  const methodsByPath = new Map<string, Set<HTTPMethods>>();
  for (const route of routes) {
    installRoute(server, web, route);
    const methods = methodsByPath.get(route.path) ?? new Set();
    methods.add(route.method);
    methodsByPath.set(route.path, route.method === 'GET' ? methods.add('HEAD') : methods);
  }
  for (const [path, methods] of methodsByPath) installRest(server, path, methods);
}

function installRoute(server: FastifyInstance, web: Web, route: Route): void {
  const { body } = route;
  if (body === undefined) {
    server.route(toFastify(web, route));
    return;
  }
  // In a scope of its own, because what else comes to this server brings no body worth reading.
  server.register(async (scope) => {
    readBody(scope, body);
    scope.route(toFastify(web, route));
  });
}

type AnyInput = RouteInput<never, never, never, never>;

function toFastify(web: Web, route: Route): RouteOptions {
  const { admit, body, method, params, query } = route;
  const json = typeof body === 'object' ? body.json : undefined;
  const checkInput = createInputCheck({ params, query, body: json });
  const callers = new WeakMap<FastifyRequest, unknown>();
  return {
    // Node leaves the body away for HEAD; everything else is the same.
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: route.path,
    schema: { response: responseSchemas(route) },
    onRequest: async (request, reply) => {
      if (admit) callers.set(request, await admit(web, request, reply));
    },
    handler: async (request, reply) => {
      const given = {
        params: request.params as object,
        query: request.query as object,
        body: body && ((request.body ?? {}) as object),
      };
      checkInput(given);
      const input = { ...given, caller: callers.get(request), request, reply };
      return sendAnswer(web, request, reply, await route.handle(web, input as AnyInput));
    },
  };
}

/** What an answer does not name here is not sent. */
function responseSchemas({ operation, answers = {} }: Route): Record<string, TSchema> {
  const described = Object.entries(operation?.responses ?? {}).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [[status, schema]],
  );
  return withoutNullBranches({ ...answers, ...Object.fromEntries(described) });
}

function installRest(server: FastifyInstance, path: string, methods: Set<HTTPMethods>): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  server.route({
    method: 'OPTIONS',
    url: path,
    handler: async (request, reply) => {
      if (surfaceOf(request.raw.url ?? '').cors) reply.headers(preflightHeaders);
      return reply.code(204).header('Allow', allow).send();
    },
  });
  server.route({
    method: allMethods.filter((method) => method !== 'OPTIONS' && !methods.has(method)),
    url: path,
    // A body is not read for a method that is refused anyway.
    onRequest: async () => {
      throw new HttpError({
        status: 405,
        code: 'invalid_request',
        message: `This address answers ${allow}.`,
        headers: { Allow: allow },
      });
    },
    handler: async () => undefined,
  });
}
