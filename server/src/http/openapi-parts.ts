import type { TSchema } from 'typebox';
import type { Components, Json } from './openapi-components.ts';
import type { Operation, PrivateOperation, Route } from './route.ts';

/** The parts that the documents of all our APIs have in common. */

/** Routes by path and method; those without an operation are no part of an API. */
export function describePaths(
  routes: readonly Route[],
  describe: (route: Route, operation: PrivateOperation | Operation) => Json,
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.operation === undefined) continue;
    // HEAD is answered too: said once in the description, not again for each path.
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const method = route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describe(route, route.operation) };
  }
  return paths;
}

/** Those of the path, then those of the query. */
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

/** Nothing for a route without a body, or with a form. JSON that needs no property may be left out whole. */
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
