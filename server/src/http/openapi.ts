import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import type { HeaderDescription, ResponseDescription, Route } from './route.ts';
import { requestIdHeader } from './v1/responses.ts';
import { ErrorEnvelope } from './v1/schemas.ts';

type Json = Record<string, unknown>;

/** Statuses that every public endpoint can answer, and the codes they carry. */
const publicErrors: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['invalid_request'],
  403: ['unavailable'],
  404: ['not_found'],
  405: ['invalid_request'],
  412: ['invalid_request'],
  429: ['rate_limited'],
  500: ['internal_error'],
  503: ['service_unavailable'],
};

/** OpenAPI 3.1, from the very schemas that check requests and write answers. */
export function describeApi(routes: readonly Route[], baseUrl: string): Json {
  const components = new Map<string, TSchema>();
  const operations = routes.filter((route) => route.operation !== undefined);
  const paths: Record<string, Json> = {};
  for (const route of operations) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      get: describeOperation(route, components, 'get'),
      head: describeOperation(route, components, 'head'),
    };
  }
  // Every error refers to it; named here so that it is there even if nothing else were.
  reference(ErrorEnvelope, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Podstead API',
      version: '1.0.0',
      summary: 'Podcasts and their episodes',
      description:
        'Public reads need no credentials. Additive changes come without notice: ignore what you do not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'This installation', url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl, description: 'This installation' }],
    security: [{}],
    tags: [...new Set(operations.map((route) => route.operation?.tag ?? ''))].map((name) => ({
      name,
      description: `Endpoints about ${name}`,
    })),
    paths,
    components: { schemas: Object.fromEntries(components) },
  };
}

function describeOperation(
  route: Route,
  components: Map<string, TSchema>,
  method: 'get' | 'head',
): Json {
  const { operation } = route;
  if (operation === undefined) return {};
  const { id, tag, summary, description } = operation;
  const withBody = method === 'get';
  return {
    operationId: withBody ? id : `${id}Head`,
    tags: [tag],
    summary: withBody ? summary : `${summary}: headers alone`,
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...parameters('path', route.params, components),
      ...parameters('query', route.query, components),
      ...conditionalParameters,
    ],
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          Number(status) >= 400
            ? describeError(Number(status), ['not_implemented'], withBody)
            : describeResponse(response, components, withBody),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(publicErrors).map(([status, codes]) => [
          status,
          describeError(Number(status), codes, withBody),
        ]),
      ),
    },
  };
}

const conditionalParameters = [
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETags you have; 304 when one of them is still right',
    schema: { type: 'string' },
  },
];

function parameters(
  place: 'path' | 'query',
  schema: TObject | undefined,
  components: Map<string, TSchema>,
): Json[] {
  const required = new Set<string>(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string };
    return {
      name,
      in: place,
      required: required.has(name),
      description,
      schema: inline(rest as TSchema, components),
    };
  });
}

function describeResponse(
  response: ResponseDescription,
  components: Map<string, TSchema>,
  withBody: boolean,
): Json {
  const { schema, headers = {}, description } = response;
  const content = schema && { 'application/json': { schema: inline(schema, components) } };
  return {
    description,
    headers: describeHeaders({ ...headers, ...requestIdHeader }),
    ...(withBody && content ? { content } : {}),
  };
}

function describeError(status: number, codes: readonly ErrorCode[], withBody: boolean): Json {
  const retryAfter: Record<string, HeaderDescription> =
    status === 429
      ? { 'Retry-After': { description: 'Seconds to wait', schema: integer } }
      : status === 405
        ? { Allow: { description: 'The methods there are', schema: string } }
        : {};
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join(' '),
    headers: describeHeaders({
      ...retryAfter,
      'Cache-Control': { description: 'no-store', schema: string },
      ...requestIdHeader,
    }),
    ...(withBody ? { content } : {}),
  };
}

const string: TSchema = { type: 'string' };
const integer: TSchema = { type: 'integer' };

function describeHeaders(headers: Readonly<Record<string, HeaderDescription>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema }]) => [
      name,
      { description, schema },
    ]),
  );
}

/** A schema with a name becomes a component; what stands inside it is treated alike. */
function inline(schema: TSchema, components: Map<string, TSchema>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inline(part as TSchema, components));
  if (schema === null || typeof schema !== 'object') return schema;
  if ('$id' in schema && typeof schema.$id === 'string') return reference(schema, components);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, inline(value as TSchema, components)]),
  );
}

function reference(schema: TSchema, components: Map<string, TSchema>): unknown {
  const { $id, ...rest } = schema as TSchema & { $id: string };
  if (!components.has($id)) {
    components.set($id, rest);
    components.set($id, inline(rest as TSchema, components) as TSchema);
  }
  return { $ref: `#/components/schemas/${$id}` };
}
