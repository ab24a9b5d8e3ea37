import type { TObject, TSchema } from 'typebox';
import { Components, type Json } from './openapi-components.ts';
import { exampleOf } from './openapi-examples.ts';
import type { Access, ResponseDescription, Route } from './route.ts';
import { apiDescription, apiTags, exampleBaseUrl } from './v1/about.ts';
import { ErrorEnvelope } from './v1/error-envelope.ts';
import { describeError, type ErrorStatus, errorsOfEveryEndpoint } from './v1/error-responses.ts';
import type { ApiHeader } from './v1/headers.ts';

/** OpenAPI 3.1, from the very schemas that check requests and write answers. */
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
    paths: describePaths(routes, components),
    components: { ...components.asJson(), securitySchemes: { ApiKey: apiKeyScheme } },
  };
}

const apiKeyScheme: Json = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_live_ and 49 letters and digits',
  description: 'An API key, made in the account settings. Sent by servers, never by browsers.',
};

function describePaths(routes: readonly Route[], components: Components): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.operation === undefined) continue;
    // HEAD is answered too: said once in the description, not again for each path.
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const method = route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(route, components) };
  }
  return paths;
}

function describeOperation(route: Route, components: Components): Json {
  const { operation, access } = route;
  if (operation === undefined) return {};
  const { id, tag, summary, description, scope, responses, errors = [] } = operation;
  const statuses = [...new Set([...errors, ...errorsOfEveryEndpoint(access)])];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scope === undefined ? description : `${description}\n\n**Scope**: \`${scope}\`.`,
    ...(access === 'key' && { security: [{ ApiKey: scope === undefined ? [] : [scope] }] }),
    parameters: [
      ...describeParameters('path', route.params, components),
      ...describeParameters('query', route.query, components),
      components.refer('parameters', 'IfNoneMatch', () => ifNoneMatch),
    ],
    responses: Object.fromEntries([
      ...Object.entries(responses).map(([status, it]) => [
        status,
        describeAnswer(it, access, components),
      ]),
      ...statuses
        .sort((a, b) => a - b)
        .map((status) => [status, referToError(status, access, components)]),
    ]),
  };
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of what you have; answered with 304 while one of them is still right.',
  schema: { type: 'string' },
  example: '"q3Wc0mY2d1hR8sVtKpLx7uZbN4e-gzip"',
};

function describeParameters(
  place: 'path' | 'query',
  schema: TObject | undefined,
  components: Components,
): Json[] {
  const required = new Set<string>(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples, ...rest } = property as TSchema & {
      description?: string;
      examples?: readonly unknown[];
    };
    return {
      name,
      in: place,
      required: required.has(name),
      description,
      schema: components.inline(rest),
      ...(examples === undefined ? {} : { example: examples[0] }),
    };
  });
}

function describeAnswer(
  response: ResponseDescription,
  access: Access,
  components: Components,
): Json {
  const { schema, headers = [], description } = response;
  return {
    description,
    headers: describeHeaders(headers, access, components),
    ...(schema && { content: jsonContent(schema, exampleOf(schema), components) }),
  };
}

/** Errors are the same for all who have the same access, so each is one component. */
function referToError(status: ErrorStatus, access: Access, components: Components): unknown {
  const { name, codes, description, headers, example } = describeError(status, access);
  return components.refer('responses', name, () => {
    const { error } = exampleOf(ErrorEnvelope) as { error: { request_id: string } };
    const docsUrl = `${exampleBaseUrl}/docs/errors#${codes[0]}`;
    const body = { code: codes[0], ...example, docs_url: docsUrl, request_id: error.request_id };
    return {
      description,
      headers: describeHeaders(['NoStore', ...headers], access, components),
      content: jsonContent(ErrorEnvelope, { error: body }, components),
    };
  });
}

function jsonContent(schema: TSchema, example: unknown, components: Components): Json {
  return { 'application/json': { schema: components.inline(schema), example } };
}

function headersOfEveryAnswer(access: Access): readonly ApiHeader[] {
  const always = ['RequestId', 'ContentTypeOptions'] as const;
  return access === 'public' ? [...always, 'AllowOrigin', 'ExposeHeaders'] : always;
}

function describeHeaders(
  headers: readonly ApiHeader[],
  access: Access,
  components: Components,
): Json {
  return Object.fromEntries(
    [...headers, ...headersOfEveryAnswer(access)].map((header) => components.referToHeader(header)),
  );
}
