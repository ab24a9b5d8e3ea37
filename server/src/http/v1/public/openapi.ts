import Type from 'typebox';
import { describeApi } from '../../openapi.ts';
import { defineRoute, type Route } from '../../route.ts';
import { publicResponses } from '../responses.ts';

/** The description of the v1 surface; it describes itself too. */
export function createOpenApiRoute(others: readonly Route[]): Route {
  const described = new Map<string, string>();
  const route: Route = defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    access: 'public',
    operation: {
      id: 'getOpenApi',
      tag: 'Description',
      summary: 'This document',
      responses: publicResponses('OpenAPI 3.1', Type.Object({}, { additionalProperties: true })),
    },
    async handle(web) {
      const { baseUrl } = web.ctx.installation;
      const text =
        described.get(baseUrl) ?? JSON.stringify(describeApi([...others, route], baseUrl));
      described.set(baseUrl, text);
      return { kind: 'text', contentType: 'application/json; charset=utf-8', text };
    },
  });
  return route;
}
