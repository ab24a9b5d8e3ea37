import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { appApi } from './app/api/index.ts';
import { describeAppApi } from './app/describe-app-api.ts';
import { describeApi } from './openapi/describe-public-api.ts';
import { exampleBaseUrl } from './openapi/described-fields.ts';
import { createSchemaCheck } from './requests/validation.ts';
import { compileSerializer } from './responses/serializers.ts';
import { apiRoutes, createRoutes } from './routes.ts';

const routes = createRoutes({});
const addresses = routes.map(({ method, path }) => `${method} ${path}`);

describe('the route table', () => {
  it('the route table has each address once', () => {
    expect(addresses).toEqual([...new Set(addresses)]);
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'states the access of %s',
    (_address, route) => {
      expect(['public', 'key', 'visitor', 'session']).toContain(route.access);
    },
  );

  // REQ-31
  it.each([
    ['/v1/', apiRoutes],
    ['/app/api/', appApi],
  ])('describes every endpoint under %s', (path, described) => {
    expect(described).toEqual(routes.filter((route) => route.path.startsWith(path)));
    const ids = described.map((route) => route.operation?.id);
    expect(ids).not.toContain(undefined);
    expect(ids).toEqual([...new Set(ids)]);
  });

  // REQ-28
  it('the route table has every endpoint of the API under /v1', () => {
    const endpoints = new Set([...apiRoutes, ...routes.filter(({ access }) => access === 'key')]);
    expect([...endpoints].filter(({ path }) => !path.startsWith('/v1/'))).toEqual([]);
  });

  // REQ-30
  it('the route table requires a key only for what belongs to the user of the key', () => {
    const withKey = routes.filter(({ access }) => access === 'key');
    expect(withKey.filter(({ path }) => !/^\/v1\/me(?:\/|$)/.test(path))).toEqual([]);
  });

  it('describes nothing else', () => {
    const described = routes.filter((route) => route.operation !== undefined);
    expect(described).toEqual([...apiRoutes, ...appApi]);
  });

  it('the route table has a schema for every parameter of a path', () => {
    for (const { path, params } of routes) {
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params?.properties ?? {}), path).toEqual(named);
    }
  });
});

// A server compiles each schema with the first request that needs it.
describe('the schemas', () => {
  it('the schemas of every request compile', () => {
    for (const { body, params, query } of routes) {
      const json = typeof body === 'object' ? body.json : undefined;
      const check = createSchemaCheck({ params, query, body: json });
      expect(() => check({ params: {}, query: {} })).not.toThrow();
    }
  });

  it('the schemas of every response compile', () => {
    for (const { operation } of routes) {
      for (const { schema } of Object.values(operation?.responses ?? {})) {
        if (schema !== undefined) expect(() => compileSerializer(schema)).not.toThrow();
      }
    }
  });
});

describe.each([
  ['v1.json', describeApi(apiRoutes, exampleBaseUrl)],
  ['app.json', describeAppApi(appApi)],
])('server/openapi/%s', (name, generated) => {
  // REQ-31
  it('an OpenAPI document is up to date with the routes (else run npm run openapi)', () => {
    const committed = readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(generated)));
    expect(committed).toBe(`${JSON.stringify(generated, null, 2)}\n`);
  });
});
