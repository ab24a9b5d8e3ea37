import type { InjectOptions } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../../src/http/openapi/describe-public-api.ts';
import { type ApiDocument, listOperations } from '../../src/http/pages/docs/api-document.ts';
import { curlExample } from '../../src/http/pages/docs/operation.ts';
import { renderReferencePage } from '../../src/http/pages/docs/reference-page.ts';
import { apiRoutes } from '../../src/http/routes.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../make.ts';
import { sampleEndpoints } from '../sample-endpoints.ts';

/** Endpoints that write use the same pipeline as those that read: checks, answers, description. */
let app: TestApp;
let secret: string;
let episodeId: string;
const site = '/v1/me/samples/0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3';
const endpoints = [...apiRoutes, ...sampleEndpoints];

beforeAll(async () => {
  app = await createTestApp({}, { endpoints });
  const ana = await makeUser(app.ctx, 'creator');
  const podcast = await makePodcast(app.ctx, { owner: ana });
  episodeId = (await makeEpisode(app.ctx, podcast)).id;
  secret = (await makeKey(app.ctx, ana)).secret;
});
afterAll(() => app[Symbol.asyncDispose]());

const send = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${secret}` },
) => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  return app.request({
    method,
    url,
    headers: { ...headers, ...type },
    ...payload,
  } as InjectOptions);
};
const fields = (response: { json(): { error: { details: { field: string }[] } } }) =>
  response.json().error.details.map(({ field }) => field);

describe('POST without a key', () => {
  // ERR-7
  it('refuses other types, codings and sizes', async () => {
    const url = '/v1/sites/exchange';
    const payload = '{"code":"x"}';
    const post = (headers: Record<string, string>, text = payload) =>
      app.request({ method: 'POST', url, payload: text, headers });
    expect((await post({ 'content-type': 'text/plain' })).statusCode).toBe(415);
    const json = { 'content-type': 'application/json' };
    expect((await post({ ...json, 'content-encoding': 'gzip' })).statusCode).toBe(415);
    const large = JSON.stringify({ code: 'x'.repeat(70_000) });
    expect((await post(json, large)).statusCode).toBe(413);
    expect((await app.request({ method: 'GET', url })).statusCode).toBe(405);
  });
});

describe('POST with a key', () => {
  it('responds with 201, with the quota and a secret', async () => {
    const response = await send('POST', '/v1/me/samples', { state: 'new' });
    expect([response.statusCode, response.json()]).toEqual([201, { data: { state: 'new' } }]);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'Authorization, Accept-Encoding',
    });
    expect(response.headers['ratelimit']).toMatch(/^account;r=\d+;t=\d+$/);
  });

  // AUTH-5, AUTH-6
  it('checks the key before the body, and the body before the target', async () => {
    const big = { state: 'x'.repeat(70_000) };
    expect((await send('POST', '/v1/me/samples', big, {})).statusCode).toBe(401);
    const unknown = '/v1/me/episodes/0197a3c4-0000-7000-8000-000000000000/post';
    expect(fields(await send('PUT', unknown, {}))).toEqual(['state']);
    expect((await send('PUT', unknown, { state: 'x' })).statusCode).toBe(404);
    const response = await send('PUT', `/v1/me/episodes/${episodeId}/post`, { state: 'x' });
    expect(response.json()).toEqual({ data: { state: `${episodeId} x` } });
    expect(response.headers['ratelimit']).toContain('plan;r=');
  });

  // ERR-2
  it('names the errors of schema and check, with reasons', async () => {
    const response = await send('POST', '/v1/me/samples', { state: 'bad', more: 1 });
    expect(response.json().error.details).toEqual([
      { field: 'more', message: 'Unknown property.' },
      { field: 'state', message: 'Not this one.', reason: 'challenge_mismatch' },
    ]);
  });

  it('ignores unknown properties if its schema is open, and names other errors', async () => {
    const response = await send('POST', `${site}/health`, { state: 'x', more: 1 });
    expect([response.statusCode, response.json()]).toEqual([200, { data: { state: 'x' } }]);
    const wrong = await send('POST', '/v1/me/samples/x/health', { errors: 10, more: 1 });
    expect(fields(wrong)).toEqual(['site_id', 'state', 'errors']);
  });

  it('accepts an empty or missing body if no property is required', async () => {
    expect((await send('POST', `${site}/disconnect`, {})).statusCode).toBe(200);
    expect((await send('POST', `${site}/disconnect`)).statusCode).toBe(200);
    expect(fields(await send('POST', `${site}/disconnect`, { more: 1 }))).toEqual(['more']);
  });
});

describe('DELETE', () => {
  it('accepts a request with and without a body', async () => {
    expect((await send('DELETE', site)).json()).toEqual({ data: { state: 'removed' } });
    const reason = await send('DELETE', `${site}/shows`, { state: 'why' });
    expect(reason.json()).toEqual({ data: { state: 'why' } });
    expect(fields(await send('DELETE', `${site}/shows`))).toEqual(['state']);
  });
});

describe('GET of changes', () => {
  it('accepts a position, and responds 304 to a current ETag', async () => {
    const response = await send('GET', `${site}/changes?after=7`);
    expect(response.json()).toEqual({ data: { state: '7' } });
    const authorization = `Bearer ${secret}`;
    const headers = { authorization, 'if-none-match': String(response.headers['etag']) };
    expect((await send('GET', `${site}/changes?after=7`, undefined, headers)).statusCode).toBe(304);
    expect(fields(await send('GET', `${site}/changes?after=-1`))).toEqual(['after']);
  });

  it('names a position beyond the end of the list', async () => {
    const beyond = await send('GET', `${site}/changes?after=8`);
    expect(beyond.json().error.details[0].reason).toBe('unknown_position');
    const foreign = site.replace('/0197', '/f197');
    expect((await send('GET', `${foreign}/changes?after=8`)).statusCode).toBe(404);
  });
});

describe('the description of these endpoints', () => {
  const document = describeApi(endpoints, 'https://pods.example') as unknown as ApiDocument;
  const operation = (id: string) => {
    const found = listOperations(document).find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`no operation ${id}`);
    return found;
  };

  it('the description of these endpoints has the body, which is required if one of its properties is', () => {
    expect(operation('register').requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { example: { state: "it's random" } } },
    });
    expect(operation('disconnect').requestBody?.required).toBe(false);
    expect(operation('remove').requestBody).toBeUndefined();
  });

  it('the description of these endpoints has the errors of access and of bodies', () => {
    const refused = (id: string) =>
      Object.keys(operation(id).responses).filter((status) => status >= '400');
    expect(refused('exchangeSiteCode')).toEqual(['400', '413', '415', '429', '500', '503']);
    expect(refused('changes')).toEqual(['400', '401', '403', '404', '412', '429', '500', '503']);
    expect(operation('exchangeSiteCode').responses['400']).toEqual({
      $ref: '#/components/responses/SiteInvalidRequest',
    });
  });

  it('the description of these endpoints is in the reference, with an example call', async () => {
    const { text } = await renderReferencePage(document);
    expect(text).toContain('Request body: JSON');
    expect(text).toContain('Properties that are not listed here are refused.');
    expect(text).toContain('The body is an empty JSON object, or omitted.');
    expect(curlExample(document, operation('register'))).toBe(
      `curl -X POST -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' ` +
        `-d '{"state":"it'\\''s random"}' 'https://pods.example/v1/me/samples'`,
    );
  });
});
