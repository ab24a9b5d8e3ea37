import Type from 'typebox';
import { describeApi } from '../../openapi/describe-public-api.ts';
import { createPayload, type Payload } from '../../responses/payload.ts';
import { jsonType } from '../../responses/send.ts';
import { defineRoute, type Route } from '../../route.ts';
import { publicResponses } from '../responses.ts';

const OpenApiDocument = Type.Object(
  {
    openapi: Type.String({ description: 'Version of OpenAPI.', examples: ['3.1.0'] }),
    info: Type.Object({}, { description: 'Title, version and rules for all endpoints.' }),
    paths: Type.Object({}, { description: 'The endpoints, by path.' }),
    components: Type.Object({}, { description: 'The parts that the endpoints refer to.' }),
  },
  {
    additionalProperties: true,
    description: 'See https://spec.openapis.org/oas/v3.1.0 for its other fields.',
  },
);

/** The description of the v1 API, including this route. */
export function createOpenApiRoute(others: readonly Route[]): Route {
  const described = new Map<string, Promise<Payload>>();
  const route: Route = defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    access: 'public',
    operation: {
      id: 'getOpenApi',
      tag: 'Description',
      summary: 'This document',
      description:
        'OpenAPI 3.1, generated from the schemas that validate requests and serialize responses.',
      responses: publicResponses('The description of all endpoints under `/v1`.', OpenApiDocument),
    },
    async handle(http) {
      const { baseUrl } = http.ctx.installation;
      const payload = described.get(baseUrl) ?? createDocument(baseUrl);
      described.set(baseUrl, payload);
      return { kind: 'payload', payload: await payload };
    },
  });
  const createDocument = (baseUrl: string) =>
    createPayload(jsonType, JSON.stringify(describeApi([...others, route], baseUrl)));
  return route;
}
