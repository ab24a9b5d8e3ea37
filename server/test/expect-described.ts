import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Response } from 'light-my-request';
import { expect } from 'vitest';
import { describeApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/http/routes.ts';
import { exampleBaseUrl } from '../src/http/v1/about.ts';

/** Holds answers of the API against its own description, as a reader of that would. */

interface DescribedHeader {
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

interface DescribedResponse {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: object;
}

type Responses = Readonly<Record<string, DescribedResponse & { readonly $ref?: string }>>;

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Responses } }>>;
  readonly components: {
    readonly headers: Readonly<Record<string, DescribedHeader>>;
    readonly responses: Responses;
  };
}

const document = close(describeApi(apiRoutes, exampleBaseUrl)) as Document;

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text);
// Only parts of it are schemas.
ajv.addVocabulary(Object.keys(document));
ajv.addSchema(document, 'openapi', false, false);

/** Headers of HTTP itself, which an OpenAPI document does not describe. */
const ownHeaders = ['content-type', 'content-length', 'date', 'connection', 'keep-alive'];

/** Fails unless status, headers and body are those that the document promises for this address. */
export function expectDescribed(method: string, url: string, answer: Response): void {
  const path = findPath(url);
  if (method === 'OPTIONS') return;
  if (path === undefined) expectRefusal(method, url, answer, 404);
  else if (method === 'GET' || method === 'HEAD') expectOperation(method, path, url, answer);
  else expectRefusal(method, url, answer, 405);
}

function expectOperation(method: string, path: string, url: string, answer: Response): void {
  const { responses } = document.paths[path]?.get ?? {};
  const status = String(answer.statusCode);
  const described = responses?.[status];
  expect(described, `${url} is answered ${status}, which is not described`).toBeDefined();
  const name = described?.$ref?.split('/').at(-1);
  const response = name === undefined ? described : document.components.responses[name];
  expectHeaders(url, answer, response?.headers ?? {});
  if (method === 'HEAD' || response?.content === undefined) {
    expect(answer.body, url).toBe('');
    return;
  }
  const inPlace = `paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/get/responses/${status}`;
  expectBody(url, answer, name === undefined ? inPlace : `components/responses/${name}`);
}

/** Static paths first, as the router has it. */
function findPath(url: string): string | undefined {
  const asked = url.split('?', 1)[0] ?? '';
  const candidates = Object.keys(document.paths).sort((a, b) => holes(a) - holes(b));
  return candidates.find((path) =>
    new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  );
}

const holes = (path: string) => path.split('{').length;

/** What no operation describes: an unknown path (or what is refused anywhere), a wrong method. */
function expectRefusal(method: string, url: string, answer: Response, status: number): void {
  expect([400, 429, status], url).toContain(answer.statusCode);
  if (method === 'HEAD') expect(answer.body, url).toBe('');
  else expectBody(url, answer, 'components/responses/NotFound');
  if (answer.statusCode === 405) expect(answer.headers['allow'], url).toBeDefined();
}

function expectHeaders(url: string, answer: Response, described: DescribedResponse['headers']) {
  const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
  for (const name of Object.keys(answer.headers)) {
    const known = names.has(name) || ownHeaders.includes(name);
    expect(known, `${url} has a header that is not described: ${name}`).toBe(true);
  }
  for (const [lower, name] of names) {
    const component = described[name]?.$ref.split('/').at(-1) ?? '';
    const { required, schema } = document.components.headers[component] as DescribedHeader;
    const text = answer.headers[lower];
    if (text === undefined) expect(required, `${url} lacks the header ${name}`).toBe(false);
    else {
      const value = schema.type === 'integer' ? Number(text) : text;
      expectValid(`${url} ${name}`, `components/headers/${component}/schema`, value);
    }
  }
}

function expectBody(url: string, answer: Response, place: string): void {
  expect(answer.headers['content-type'], url).toBe('application/json; charset=utf-8');
  if (answer.headers['content-encoding'] !== undefined) return;
  expectValid(url, `${place}/content/application~1json/schema`, answer.json());
}

function expectValid(what: string, pointer: string, value: unknown): void {
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (validate === undefined) throw new Error(`The document has nothing at ${pointer}`);
  validate(value);
  expect(validate.errors ?? [], what).toEqual([]);
}

/** Readers ignore fields they do not know; here one that is not described is a mistake. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, close(value)]));
  const isObject = copy['type'] === 'object' && Object.keys(copy['properties'] ?? {}).length > 0;
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
