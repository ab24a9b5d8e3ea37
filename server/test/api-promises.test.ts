import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listPromises } from '../scripts/list-promises.ts';

const readOpenApi = (name: string) =>
  readFileSync(new URL(`../openapi/${name}`, import.meta.url), 'utf8');

// REQ-29
it('the API keeps every promise of earlier versions, and new ones are recorded (npm run openapi)', () => {
  const promises = listPromises(JSON.parse(readOpenApi('v1.json')));
  const recorded = readOpenApi('v1-promises.txt').trimEnd().split('\n');
  expect(recorded.length).toBeGreaterThan(500);
  const broken = recorded.filter((promise) => !promises.includes(promise));
  expect(broken, 'only before a release may a line be deleted').toEqual([]);
  expect(promises.filter((promise) => !recorded.includes(promise))).toEqual([]);
});

it('the promises of an API name its parameters, fields, types and values', () => {
  const show = { type: ['string', 'null'], enum: ['full', null] };
  const ok = { type: 'object', required: ['a'], properties: { a: show, b: { items: show } } };
  const content = { 'application/json': { schema: ok } };
  const parameters = [{ name: 'q', in: 'query', required: true, schema: { type: 'integer' } }];
  const get = { parameters, requestBody: { content }, responses: { 200: { content } } };
  const api = { paths: { '/v1/x': { get } }, components: { schemas: {}, parameters: {} } };
  const fieldsOf = (place: string) => [
    `GET /v1/x ${place}.a has the value "full"`,
    `GET /v1/x ${place}.a has the value null`,
    `GET /v1/x ${place}.a: null or string`,
    `GET /v1/x ${place}.b: any value of null or string, or missing`,
    `GET /v1/x ${place}.b[] has the value "full"`,
    `GET /v1/x ${place}.b[] has the value null`,
  ];
  expect(listPromises(api)).toEqual(
    [
      ...fieldsOf('200'),
      'GET /v1/x 200: object',
      ...fieldsOf('body'),
      'GET /v1/x query q: integer, required',
      'GET /v1/x requires a',
    ].sort(),
  );
});
