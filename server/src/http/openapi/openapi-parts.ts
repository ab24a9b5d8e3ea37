import type { TSchema } from 'typebox';
import type { Operation, PrivateOperation, Route } from '../route.ts';
import type { Components, Json } from './openapi-components.ts';

/** The parts that the documents of all our APIs have in common. */

/** Describes routes by path and method. Routes without an operation are left out. */
export function describePaths(
  routes: readonly Route[],
  describe: (route: Route, operation: PrivateOperation | Operation) => Json,
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.operation === undefined) continue;
    // HEAD is not listed for each path: the description of the API mentions it once.
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const method = route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describe(route, route.operation) };
  }
  return paths;
}

/** The parameters of the path, then those of the query. */
export function describeParameters({ params, query }: Route, components: Components): Json[] {
  return [params, query].flatMap((schema, index) => {
    const required = new Set<string>(schema?.required ?? []);
    return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, examples, ...rest } = property as TSchema & {
        description?: string;
        examples?: readonly unknown[];
      };
      return {
        name,
        in: index === 0 ? 'path' : 'query',
        required: required.has(name),
        description,
        schema: components.inline(rest),
        ...(examples === undefined ? {} : { example: examples[0] }),
      };
    });
  });
}

/** Empty for a route without a body or with a form. JSON is optional if no property is required. */
export function describeRequestBody(
  { body }: Route,
  components: Components,
  exampleOf?: (schema: TSchema) => unknown,
): Json {
  if (body === 'stream') return { requestBody: { required: true, content: { '*/*': {} } } };
  if (typeof body !== 'object') return {};
  const { json: schema } = body;
  const required = (schema.required ?? []).length > 0;
  return {
    requestBody: { required, content: jsonContent(schema, components, exampleOf?.(schema)) },
  };
}

export function jsonContent(schema: TSchema, components: Components, example?: unknown): Json {
  const described = { schema: components.inline(schema) };
  return { 'application/json': example === undefined ? described : { ...described, example } };
}
