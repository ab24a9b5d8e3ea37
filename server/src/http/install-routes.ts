import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { preflightHeaders } from './cors.ts';
import { HttpError } from './errors.ts';
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
    methodsByPath.set(route.path, methods.add(route.method).add('HEAD'));
  }
  for (const [path, methods] of methodsByPath) installRest(server, path, methods);
}

function installRoute(server: FastifyInstance, web: Web, route: Route): void {
  const responses = Object.entries(route.operation?.responses ?? {}).flatMap(
    ([status, { schema }]) => (schema === undefined ? [] : [[status, schema]]),
  );
  const checkInput = createInputCheck(route);
  server.route({
    // Node leaves the body away for HEAD; everything else is the same.
    method: [route.method, 'HEAD'],
    url: route.path,
    schema: { response: Object.fromEntries(responses) },
    handler: async (request, reply) => {
      const { params, query } = request;
      checkInput(params as object, query as object);
      const input = { params, query, request, reply } as RouteInput<never, never>;
      return sendAnswer(web, request, reply, await route.handle(web, input));
    },
  });
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
