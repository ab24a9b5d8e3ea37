import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../domain/foundation/errors.ts';
import { SourceChangedError } from './cache/podcast-cache.ts';
import type { HttpContext } from './http-context.ts';
import { failureOf, HttpError } from './http-errors.ts';
import { installRoutes } from './install-routes.ts';
import { LargeBuilds } from './limits/large-builds.ts';
import type { Visitor } from './limits/public-reads.ts';
import { RunningRoutes } from './limits/running-routes.ts';
import { UnreadResponses } from './limits/unread-responses.ts';
import { WriteTurns } from './limits/write-turns.ts';
import { BodySender } from './responses/body-sender.ts';
import { sessionCaching } from './responses/payload.ts';
import { defineRoute } from './route.ts';

const Thing = Type.Object({ name: Type.String() }, { additionalProperties: false });

const makeThing = defineRoute({
  method: 'POST',
  path: '/things',
  access: 'session',
  body: { json: Thing },
  operation: {
    id: 'makeThing',
    responses: {
      201: {
        description: 'Made',
        schema: Type.Object({ name: Type.String(), userId: Type.String() }),
      },
    },
  },
  async authenticate(_http, request) {
    if (request.headers.cookie === undefined) {
      throw new HttpError({ status: 401, code: 'unauthorized', message: 'Sign in.' });
    }
    return { userId: request.headers.cookie };
  },
  async handle(_http, { body, caller }) {
    return { kind: 'json', body: { ...body, ...caller }, caching: sessionCaching };
  },
});

const sendForm = defineRoute({
  method: 'POST',
  path: '/forms',
  access: 'visitor',
  body: 'form',
  handle: async (_http, { body }) => ({
    kind: 'text',
    contentType: 'text/plain',
    text: JSON.stringify(body),
  }),
});

/** Says whose turns its statements take. */
const postPublic = defineRoute({
  method: 'POST',
  path: '/public',
  access: 'public',
  body: 'form',
  check: ({ ctx }) => ctx.db,
  handle: async ({ ctx }, { checked }) => ({
    kind: 'text',
    contentType: 'text/plain',
    text: [ctx.db, checked].join(', '),
  }),
});

/** Its show changes as often as the address says before the response is begun. */
let changes = 0;
const readChanging = defineRoute({
  method: 'GET',
  path: '/changing/:times',
  access: 'public',
  params: Type.Object({ times: Type.String() }),
  async handle(_http, { params: { times } }) {
    changes += 1;
    if (changes <= Number(times)) throw new SourceChangedError();
    return { kind: 'text', contentType: 'text/plain', text: `run ${changes}` };
  },
});

const server: FastifyInstance = fastify();

beforeAll(async () => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
  server.setErrorHandler((error: unknown, _request, reply) => {
    if (error instanceof DomainError) return reply.code(failureOf(error).status).send('');
    if (error instanceof HttpError) return reply.code(error.failure.status).send(error.failure);
    return reply.send(error);
  });
  const unread = new UnreadResponses({ networkOf: () => 'all' });
  const running = new RunningRoutes();
  const bodies = new BodySender(new WriteTurns(), unread);
  const ofVisitor = ({ network, block }: Visitor, { aborted }: AbortSignal) =>
    `${network} ${block} ${aborted}`;
  const publicReads = { begin: () => ({}), ofVisitor };
  const reader = { within: () => ({}) };
  const readers = { podcasts: reader, audio: reader, images: reader };
  const [networkOf, blockOf] = [() => 'one', () => 'all'];
  const largeBuilds = new LargeBuilds();
  const given = { bodies, running, publicReads, networkOf, blockOf, largeBuilds, ...readers };
  const http = given as unknown as HttpContext;
  installRoutes(server, http, [makeThing, sendForm, postPublic, readChanging]);
  await server.ready();
});
afterAll(() => server.close());

const post = (url: string, type: string, payload: string, cookie = 'ana') =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type, ...(cookie && { cookie }) },
  } satisfies InjectOptions);
const json = (payload: string, cookie?: string) =>
  post('/things', 'application/json', payload, cookie);

describe('a route with a body', () => {
  it('a route with a body passes the body and the caller to its handler', async () => {
    const response = await json('{"name":"lamp"}');
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ name: 'lamp', userId: 'ana' });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers.vary).toBe('Cookie, Accept-Encoding');
  });

  it('ignores conditions of the request, because its response is new', async () => {
    for (const condition of ['if-none-match', 'if-match']) {
      const headers = { 'content-type': 'application/json', cookie: 'ana', [condition]: '"x", *' };
      const made = { method: 'POST', url: '/things', payload: '{"name":"lamp"}', headers } as const;
      expect((await server.inject(made)).statusCode, condition).toBe(201);
    }
  });

  it.each(['gzip', 'br', 'identity, gzip', 'x'])(
    'refuses a body in the coding %s',
    async (coding) => {
      const type = { 'content-type': 'application/json', cookie: 'ana' };
      const headers = { ...type, 'content-encoding': coding };
      const sent = { method: 'POST', url: '/things', payload: '{"name":"lamp"}', headers } as const;
      const response = await server.inject(sent);
      expect([response.statusCode, response.json().code]).toEqual([415, 'invalid_request']);
      const plain = { ...sent, headers: { ...type, 'content-encoding': 'Identity' } };
      expect((await server.inject(plain)).statusCode).toBe(201);
    },
  );

  it('authenticates before it reads or checks anything', async () => {
    for (const body of ['{"name":"lamp"}', '{', 'x'.repeat(100_000)]) {
      expect((await json(body, '')).statusCode).toBe(401);
    }
  });

  it('a route with a body names every wrong property at once', async () => {
    const response = await json('{"nome":"lamp","size":1}');
    expect(response.statusCode).toBe(400);
    const fields = response.json().details.map((detail: { field: string }) => detail.field);
    expect(fields.sort()).toEqual(['name', 'nome', 'size']);
    expect((await json('')).json().details[0].field).toBe('body');
  });

  it.each(['{', '[]', '"x"', 'null', '1'])('refuses %s, which is not an object', async (text) => {
    const response = await json(text);
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].field).toBe('body');
  });

  it('lets no property reach the prototype', async () => {
    const response = await json('{"__proto__":{"name":"lamp"}}');
    expect(response.statusCode).toBe(400);
  });

  it('refuses NUL, which the database cannot store', async () => {
    const response = await json('{"name":"la\\u0000mp"}');
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].field).toBe('name');
    expect((await json('{"name":"la\\\\u0000mp"}')).statusCode).toBe(201);
    const form = await post('/forms', 'application/x-www-form-urlencoded', 'a=1%00');
    expect(form.statusCode).toBe(400);
  });

  it('refuses another type, and a body over the limit', async () => {
    expect((await post('/things', 'text/plain', '{"name":"lamp"}')).statusCode).toBe(415);
    expect((await post('/forms', 'application/json', '{}')).statusCode).toBe(415);
    expect((await json(JSON.stringify({ name: 'x'.repeat(70_000) }))).statusCode).toBe(413);
  });

  it('reads a form; a repeated name becomes a list', async () => {
    const type = 'application/x-www-form-urlencoded';
    const response = await post('/forms', type, 'a=1&b=x+%26&b=y&__proto__=z');
    expect(JSON.parse(response.body)).toEqual(
      JSON.parse('{"a":"1","b":["x &","y"],"__proto__":"z"}'),
    );
  });

  it('responds with 405 to GET, which it does not have', async () => {
    const response = await server.inject({ method: 'GET', url: '/things' });
    expect(response.statusCode).toBe(405);
    expect(response.json().headers.Allow).toBe('POST, OPTIONS');
  });
});

it('runs a read again if its show has changed, and gives up after ten runs', async () => {
  changes = 0;
  expect((await server.inject('/changing/3')).body).toBe('run 4');
  changes = 0;
  expect((await server.inject('/changing/1000')).statusCode).toBe(503);
  expect(changes).toBe(10);
});

it('a public request that may write takes the turns of its network, also in its checks', async () => {
  const type = 'application/x-www-form-urlencoded';
  const turns = 'one all false';
  expect((await post('/public', type, 'a=1')).body).toBe([turns, turns].join(', '));
});
