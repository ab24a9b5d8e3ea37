import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpContext } from './http-context.ts';
import { HttpError } from './http-errors.ts';
import { RunningRoutes } from './limits/running-routes.ts';
import { defineRoute } from './route.ts';
import { createHttpServer } from './server.ts';

const megabyte = Buffer.alloc(1024 * 1024, 'x');
const logged: unknown[] = [];
let server: FastifyInstance;
let port: number;
/** The handler waits for `gate` before it reads. */
let gate: PromiseWithResolvers<void>;
let begun: PromiseWithResolvers<Readable>;
let ended: PromiseWithResolvers<unknown>;

const tooLong = new HttpError({ status: 413, code: 'invalid_request', message: 'Too long.' });

const upload = defineRoute({
  method: 'PATCH',
  path: '/app/api/uploads',
  access: 'session',
  body: 'stream',
  async authenticate(_http, { headers }) {
    if (headers.authorization !== 'x') {
      throw new HttpError({ status: 401, code: 'unauthorized', message: 'Sign in.' });
    }
  },
  async handle(_http, { body, request: { headers }, reply }) {
    begun.resolve(body);
    await gate.promise;
    let bytes = 0;
    if (headers['x-left'] !== undefined) {
      await body.iterator().next();
      throw tooLong;
    }
    try {
      for await (const chunk of body) {
        bytes += (chunk as Buffer).length;
        if (bytes > Number(headers['x-bound'] ?? Number.POSITIVE_INFINITY)) throw tooLong;
      }
    } catch (error) {
      ended.resolve(error);
      throw error;
    }
    reply.header('Cache-Control', 'no-store').send({ bytes, type: headers['content-type'] });
    return { kind: 'sent' };
  },
});

beforeAll(async () => {
  const log = {
    ...{ info() {}, warn() {}, debug() {}, trace() {}, fatal() {}, child: () => log },
    isLevelEnabled: () => false,
    error: (entry: unknown) => logged.push(entry),
  };
  const http = {
    ctx: { log, installation: { baseUrl: 'http://test.local', embedUrl: 'http://test.local' } },
    counts: { add() {} },
    domains: { find: () => undefined },
    ...{ running: new RunningRoutes(), closing: new AbortController().signal },
    ...{ stopping: new AbortController().signal },
  } as unknown as HttpContext;
  server = createHttpServer(http, [upload], []);
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(() => {
  gate = Promise.withResolvers();
  begun = Promise.withResolvers();
  ended = Promise.withResolvers();
  logged.length = 0;
});

function send(headers: Record<string, string | number> = {}, agent = new Agent()): ClientRequest {
  return request({
    ...{ host: '127.0.0.1', port, path: '/app/api/uploads', method: 'PATCH', agent },
    headers: { authorization: 'x', 'content-type': 'application/offset+octet-stream', ...headers },
  });
}

async function responseTo(sent: ClientRequest) {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as Record<string, unknown> };
}

describe('a streamed body', () => {
  it('a streamed body may have any type, and be longer than a JSON body', async () => {
    gate.resolve();
    const sent = send();
    for (let at = 0; at < 8; at += 1) sent.write(megabyte);
    sent.end();
    expect(await responseTo(sent)).toEqual({
      status: 200,
      body: { bytes: 8 * megabyte.length, type: 'application/offset+octet-stream' },
    });
  });

  it('a streamed body is empty if the request has none', async () => {
    gate.resolve();
    const sent = send({ 'content-length': 0 });
    sent.end();
    expect((await responseTo(sent)).body['bytes']).toBe(0);
  });

  it('makes the client wait until the handler continues to read', async () => {
    const sent = send();
    for (let at = 0; at < 64; at += 1) sent.write(megabyte);
    sent.end();
    const body = await begun.promise;
    expect(body.readableLength).toBeLessThan(megabyte.length);
    expect(sent.writableLength + (sent.socket?.writableLength ?? 0)).toBeGreaterThan(0);
    gate.resolve();
    expect((await responseTo(sent)).body['bytes']).toBe(64 * megabyte.length);
  });

  it('fails if its client stops, which is not logged as our failure', async () => {
    gate.resolve();
    const sent = send({ 'content-length': 2 * megabyte.length });
    sent.on('error', () => undefined);
    sent.write(megabyte);
    await begun.promise;
    sent.destroy();
    expect(await ended.promise).toMatchObject({ code: 'ECONNRESET' });
    expect(logged).toEqual([]);
  });

  it('a streamed body is refused in any coding', async () => {
    const sent = send({ 'content-encoding': 'gzip' });
    sent.end('x');
    expect((await responseTo(sent)).status).toBe(415);
  });
});

describe('a connection', () => {
  it.each([
    ['that is refused before it is read', { authorization: '' }, 401],
    ['in a coding', { 'content-encoding': 'gzip' }, 415],
    ['that the handler has read in part', { 'x-bound': '10' }, 413],
    ['that the handler has left open', { 'x-left': 'yes' }, 413],
  ])('a connection can be used again after a body %s', async (_, headers, status) => {
    gate.resolve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refused = send(headers, agent);
    refused.end(Buffer.concat([megabyte, megabyte, megabyte]));
    expect((await responseTo(refused)).status).toBe(status);
    const next = send({}, agent);
    next.end('next');
    expect((await responseTo(next)).body['bytes']).toBe(4);
    expect(next.reusedSocket).toBe(true);
    agent.destroy();
  });
});
