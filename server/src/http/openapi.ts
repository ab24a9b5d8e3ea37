import type { TObject, TSchema } from 'typebox';
import { Components, type Json } from './openapi-components.ts';
import { exampleOf } from './openapi-examples.ts';
import type { ResponseDescription, Route } from './route.ts';
import { apiDescription, apiTags, exampleBaseUrl } from './v1/about.ts';
import { ErrorEnvelope } from './v1/error-envelope.ts';
import {
  describeError,
  type ErrorStatus,
  errorResponses,
  errorsOfEveryEndpoint,
} from './v1/error-responses.ts';
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
    components: components.asJson(),
  };
}

function describePaths(routes: readonly Route[], components: Components): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.operation === undefined) continue;
    // HEAD is answered too: said once in the description, not again for each path.
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], get: describeOperation(route, components) };
  }
  return paths;
}

function describeOperation(route: Route, components: Components): Json {
  const { operation } = route;
  if (operation === undefined) return {};
  const { id, tag, summary, description, responses, errors = [] } = operation;
  const statuses = [...new Set([...errors, ...errorsOfEveryEndpoint])].sort((a, b) => a - b);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...describeParameters('path', route.params, components),
      ...describeParameters('query', route.query, components),
      components.refer('parameters', 'IfNoneMatch', () => ifNoneMatch),
    ],
    responses: Object.fromEntries([
      ...Object.entries(responses).map(([status, it]) => [status, describeAnswer(it, components)]),
      ...statuses.map((status) => [status, referToError(status, components)]),
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

function describeAnswer(response: ResponseDescription, components: Components): Json {
  const { schema, headers = [], description } = response;
  return {
    description,
    headers: describeHeaders(headers, components),
    ...(schema && { content: jsonContent(schema, exampleOf(schema), components) }),
  };
}

/** Errors are the same everywhere, so each is one component. */
function referToError(status: ErrorStatus, components: Components): unknown {
  return components.refer('responses', errorResponses[status].name, () => {
    const { code, description, headers, example } = describeError(status);
    const { error } = exampleOf(ErrorEnvelope) as { error: { request_id: string } };
    const docsUrl = `${exampleBaseUrl}/docs/errors#${code}`;
    const body = { code, ...example, docs_url: docsUrl, request_id: error.request_id };
    return {
      description: `\`${code}\`: ${description}`,
      headers: describeHeaders(['NoStore', ...headers], components),
      content: jsonContent(ErrorEnvelope, { error: body }, components),
    };
  });
}

function jsonContent(schema: TSchema, example: unknown, components: Components): Json {
  return { 'application/json': { schema: components.inline(schema), example } };
}

const headersOfEveryAnswer: readonly ApiHeader[] = [
  'RequestId',
  'ContentTypeOptions',
  'AllowOrigin',
  'ExposeHeaders',
];

function describeHeaders(headers: readonly ApiHeader[], components: Components): Json {
  return Object.fromEntries(
    [...headers, ...headersOfEveryAnswer].map((header) => components.referToHeader(header)),
  );
}
