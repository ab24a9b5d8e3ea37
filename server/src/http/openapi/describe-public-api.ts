import type { TSchema } from 'typebox';
import { ErrorEnvelope } from '../http-errors.ts';
import type { Operation, ResponseDescription, Route } from '../route.ts';
import { routeGroupOf } from '../route-groups.ts';
import { apiDescription, apiTags } from '../v1/about.ts';
import { describeError, type ErrorStatus, errorsOfEveryEndpoint } from '../v1/error-responses.ts';
import type { ApiHeader } from '../v1/headers.ts';
import { exampleBaseUrl } from './described-fields.ts';
import { Components, type Json } from './openapi-components.ts';
import {
  describeParameters,
  describePaths,
  describeRequestBody,
  jsonContent,
} from './openapi-parts.ts';

/** OpenAPI 3.1, made from the schemas that check requests and serialize responses. */
export function describeApi(routes: readonly Route[], baseUrl: string): Json {
  const components = new Components();
  const docs = `${baseUrl}/docs`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Podstead API',
      version: '1.0.0',
      summary: 'Podcasts and their episodes',
      description: apiDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'This installation', url: docs },
    },
    externalDocs: { description: 'The same, with every error code and the changes', url: docs },
    servers: [{ url: baseUrl, description: 'This installation' }],
    security: [],
    tags: Object.entries(apiTags).map(([name, description]) => ({ name, description })),
    paths: describePaths(routes, (route, operation) =>
      'tag' in operation ? describeOperation(route, operation, components) : {},
    ),
    components: { ...components.asJson(), securitySchemes: { ApiKey: apiKeyScheme } },
  };
}

const apiKeyScheme: Json = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_live_ and 49 letters and digits',
  description: 'An API key, created in the account settings. Sent by servers, never by browsers.',
};

function describeOperation(route: Route, operation: Operation, components: Components): Json {
  const { access, method } = route;
  const { id, tag, summary, description, scope, responses, errors = [] } = operation;
  const statuses = [...new Set([...errors, ...errorsOfEveryEndpoint(route)])];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scope === undefined ? description : `${description}\n\n**Scope**: \`${scope}\`.`,
    ...(access === 'key' && { security: [{ ApiKey: scope === undefined ? [] : [scope] }] }),
    parameters: [
      ...describeParameters(route, components),
      ...(method === 'GET'
        ? [components.refer('parameters', 'IfNoneMatch', () => ifNoneMatch)]
        : []),
    ],
    ...describeRequestBody(route, components, exampleOf),
    responses: Object.fromEntries([
      ...Object.entries(responses).map(([status, it]) => [
        status,
        describeResponse(it, route, components),
      ]),
      ...statuses
        .sort((a, b) => a - b)
        .map((status) => [status, referToError(status, route, components)]),
    ]),
  };
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of the versions you have; the response is 304 while one of them is current.',
  schema: { type: 'string' },
  example: '"q3Wc0mY2d1hR8sVtKpLx7uZbN4e-gzip"',
};

function describeResponse(
  response: ResponseDescription,
  route: Route,
  components: Components,
): Json {
  const { schema, headers = [], description } = response;
  return {
    description,
    headers: describeHeaders(headers, route, components),
    ...(schema && { content: jsonContent(schema, components, exampleOf(schema)) }),
  };
}

/** Each error is one component, because it is the same for all routes of a group. */
function referToError(status: ErrorStatus, route: Route, components: Components): unknown {
  const { name, codes, description, headers, example } = describeError(status, route);
  return components.refer('responses', name, () => {
    const { error } = exampleOf(ErrorEnvelope) as { error: { request_id: string } };
    const docsUrl = `${exampleBaseUrl}/docs/errors#${codes[0]}`;
    const body = { code: codes[0], ...example, docs_url: docsUrl, request_id: error.request_id };
    return {
      description,
      headers: describeHeaders(['NoStore', ...headers], route, components),
      content: jsonContent(ErrorEnvelope, components, { error: body }),
    };
  });
}

function headersOfEveryResponse({ path }: Route): readonly ApiHeader[] {
  const always = ['RequestId', 'ContentTypeOptions'] as const;
  return routeGroupOf(path).cors ? [...always, 'AllowOrigin', 'ExposeHeaders'] : always;
}

function describeHeaders(
  headers: readonly ApiHeader[],
  route: Route,
  components: Components,
): Json {
  return Object.fromEntries(
    [...headers, ...headersOfEveryResponse(route)].map((header) =>
      components.referToHeader(header),
    ),
  );
}

interface Exemplary {
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** Builds an example from those of the parts. Throws if a part has none. */
function exampleOf(schema: TSchema): unknown {
  const { examples, enum: values, anyOf, items, properties, ...rest } = schema as Exemplary;
  const [given] = examples ?? values ?? (rest.const === undefined ? [rest.default] : [rest.const]);
  if (given !== undefined) return given;
  if (properties !== undefined) {
    const parts = Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]);
    return Object.fromEntries(parts);
  }
  if (items !== undefined) return [exampleOf(items)];
  const [first] = anyOf ?? [];
  if (first !== undefined) return exampleOf(first);
  throw new Error(`A schema without an example: ${JSON.stringify(schema)}`);
}
