import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { streamBody } from './stream-body.ts';

const server = createServer({ optimizeEmptyRequests: true }, async (incoming, response) => {
  response.end(`read: ${await text(streamBody(incoming))}`);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ['a body with a length', { 'content-length': '5' }, 'hello'],
  ['a body in chunks', { 'transfer-encoding': 'chunked' }, 'hello'],
  ['an empty body', { 'content-length': '0' }, ''],
  ['no body', {}, ''],
])('reads %s to its end', async (_, headers, body) => {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, method: 'POST', headers });
  asked.useChunkedEncodingByDefault = false;
  asked.end(body);
  const [answer] = await once(asked, 'response');
  expect(await text(answer)).toBe(`read: ${body}`);
});
