import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { HttpError } from '../http-errors.ts';
import type { Body } from '../route.ts';
import { readBody } from './read-body.ts';

const json: Body = { json: Type.Object({}), maxBytes: 200 };

/** Sends one byte at a time, always in the same memory, as if the earlier ones were thrown away. */
function sendBytes(text: string): Readable {
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(1);
  const source = Object.assign(new EventEmitter(), {
    resume: () =>
      setImmediate(() => {
        for (let at = 0; at < bytes.length; at += 1) {
          bytes.copy(piece, 0, at);
          source.emit('data', piece);
        }
        source.emit('end');
      }),
  });
  return source as unknown as Readable;
}

async function post(body: Body, type: string, text: string) {
  await using server: FastifyInstance & AsyncDisposable = Object.assign(fastify(), {
    [Symbol.asyncDispose]: () => server.close(),
  });
  server.setErrorHandler((error, _request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    return reply.code(error instanceof HttpError ? error.failure.status : statusCode).send('');
  });
  readBody(server, body);
  server.addHook('preParsing', async () => sendBytes(text));
  server.post('/', async (request) => request.body);
  const payload = 'replaced';
  const headers = { 'content-type': type };
  return await server.inject({ method: 'POST', url: '/', payload, headers });
}

it('a body that comes byte by byte is read without keeping its pieces', async () => {
  const response = await post(json, 'application/json', '{"name":"Zoë 🎙","a":[1,2]}');
  expect(response.json()).toEqual({ name: 'Zoë 🎙', a: [1, 2] });
  const form = await post('form', 'application/x-www-form-urlencoded', 'name=Zo%C3%AB&a=1');
  expect(form.json()).toEqual({ name: 'Zoë', a: '1' });
});

it('a body is refused with 413 when it gets longer than its route allows', async () => {
  const bodyOf = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
  expect((await post(json, 'application/json', bodyOf(200))).statusCode).toBe(200);
  const refused = await post(json, 'application/json', bodyOf(201));
  expect([refused.statusCode, refused.headers.connection]).toEqual([413, 'close']);
});

it('a large JSON body with more parts than any route accepts is refused before it is parsed', async () => {
  const large: Body = { json: Type.Object({}), maxBytes: 3 * 1024 * 1024 };
  const person = { id: 'x', name: 'Ana', role: 'host', group: 'cast', bio: 'b', link_url: 'l' };
  const whole = { ...person, new_id: 'n', roster: true, user_id: null, photo_id: null };
  const post = (people: unknown[]) => postText(large, JSON.stringify({ people }));
  expect((await post(Array(5_000).fill(whole))).statusCode).toBe(200);
  expect((await post(Array(40_000).fill([]))).statusCode).toBe(400);
  expect((await post(Array(80_000).fill(1))).statusCode).toBe(400);
  expect((await post([',[{'.repeat(100_000)])).statusCode).toBe(200);
});

const postText = (body: Body, text: string) => post(body, 'application/json', text);
