import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Response } from 'light-my-request';
import { expect } from 'vitest';
import { describeApi } from '../src/http/openapi/describe-public-api.ts';
import { exampleBaseUrl } from '../src/http/openapi/described-fields.ts';
import type { Route } from '../src/http/route.ts';
import { apiRoutes } from '../src/http/routes.ts';
import { isUtcDay } from '../src/lib/utc-day.ts';

/** Compares responses of the API with its OpenAPI document. */

interface DescribedHeader {
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

interface DescribedResponse {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: object;
}

type Responses = Readonly<Record<string, DescribedResponse & { readonly $ref?: string }>>;

interface DescribedOperation {
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Responses;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, DescribedHeader>>;
    readonly responses: Responses;
  };
}

/** Headers of HTTP itself, which an OpenAPI document does not describe. */
const ownHeaders = [
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive'],
  'strict-transport-security',
];

/** Fails unless status, headers and body match the document for this address. */
export type DescribedCheck = (
  method: string,
  url: string,
  response: Response,
  /** The JSON that was sent: accepted properties must be described too. */
  payload?: string,
) => void;

/** Creates the check for these routes, with the document that is made from them. */
export function createDescribedCheck(routes: readonly Route[]): DescribedCheck {
  const open = describeApi(routes, exampleBaseUrl);
  const document = close(open) as Document;
  const ajv = createAjv(Object.keys(document));
  ajv.addSchema(document, 'responses', false, false);
  ajv.addSchema(open, 'requests', false, false);

  const findOperation = (path: string, method: string) => document.paths[path]?.[keyOf(method)];

  function expectOperation(path: string, method: string, url: string, response: Response): void {
    const { responses } = findOperation(path, method) ?? { responses: {} };
    const status = String(response.statusCode);
    const found = responses[status];
    expect(found, `${url} is ${status}, which is not described`).toBeDefined();
    const name = found?.$ref?.split('/').at(-1);
    const described = name === undefined ? found : document.components.responses[name];
    expectHeaders(url, response, described?.headers ?? {});
    if (method === 'HEAD' || described?.content === undefined) {
      expect(response.body, url).toBe('');
      return;
    }
    const inPlace = `${pointerTo(path, method)}/responses/${status}`;
    expectBody(url, response, name === undefined ? inPlace : `components/responses/${name}`);
  }

  /** Responses that belong to no operation: an unknown path, a general refusal, a wrong method. */
  function expectRefusal(method: string, url: string, response: Response, status: number): void {
    expect([400, 429, status], url).toContain(response.statusCode);
    if (method === 'HEAD') expect(response.body, url).toBe('');
    else expectBody(url, response, 'components/responses/NotFound');
    if (response.statusCode === 405) expect(response.headers['allow'], url).toBeDefined();
  }

  function expectHeaders(
    url: string,
    response: Response,
    described: DescribedResponse['headers'],
  ): void {
    const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
    for (const name of Object.keys(response.headers)) {
      const known = names.has(name) || ownHeaders.includes(name);
      expect(known, `${url} has a header that is not described: ${name}`).toBe(true);
    }
    for (const [lower, name] of names) {
      const component = described[name]?.$ref.split('/').at(-1) ?? '';
      const { required, schema } = document.components.headers[component] as DescribedHeader;
      const text = response.headers[lower];
      if (text === undefined) expect(required, `${url} lacks the header ${name}`).toBe(false);
      else {
        const value = schema.type === 'integer' ? Number(text) : text;
        expectValid(`${url} ${name}`, `responses#/components/headers/${component}/schema`, value);
      }
    }
  }

  function expectBody(url: string, response: Response, place: string): void {
    expect(response.headers['content-type'], url).toBe('application/json; charset=utf-8');
    if (response.headers['content-encoding'] !== undefined) return;
    expectValid(url, `responses#/${place}/content/application~1json/schema`, response.json());
  }

  function expectRequest(path: string, method: string, url: string, payload = '{}'): void {
    if (findOperation(path, method)?.requestBody === undefined) return;
    const pointer = `${pointerTo(path, method)}/requestBody/content/application~1json/schema`;
    expectValid(`${url} takes`, `requests#/${pointer}`, JSON.parse(payload));
  }

  function expectValid(what: string, pointer: string, value: unknown): void {
    const validate = ajv.getSchema(pointer);
    if (validate === undefined) throw new Error(`The document has nothing at ${pointer}`);
    validate(value);
    expect(validate.errors ?? [], what).toEqual([]);
  }

  return (method, url, response, payload) => {
    const path = findPath(Object.keys(document.paths), url);
    if (method === 'OPTIONS') return;
    if (path === undefined) return expectRefusal(method, url, response, 404);
    if (findOperation(path, method) === undefined) {
      return expectRefusal(method, url, response, 405);
    }
    expectOperation(path, method, url, response);
    if (response.statusCode < 300) expectRequest(path, method, url, payload);
  };
}

export const expectDescribed = createDescribedCheck(apiRoutes);

function createAjv(partsOfDocument: string[]): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text);
  ajv.addFormat('date', isUtcDay);
  // Only parts of the document are schemas.
  ajv.addVocabulary(partsOfDocument);
  return ajv;
}

/** The description of GET applies to HEAD too. */
const keyOf = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase());

const pointerTo = (path: string, method: string) =>
  `paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${keyOf(method)}`;

/** Prefers static paths, like the router. */
function findPath(paths: readonly string[], url: string): string | undefined {
  const asked = url.split('?', 1)[0] ?? '';
  return paths
    .toSorted((a, b) => holes(a) - holes(b))
    .find((path) =>
      new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
    );
}

const holes = (path: string) => path.split('{').length;

/** Makes schemas refuse undescribed fields, which real clients ignore. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, close(value)]));
  const isObject = copy['type'] === 'object' && Object.keys(copy['properties'] ?? {}).length > 0;
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
