import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { warmTickObject } from '../../server/src/http/cache/warm-tick-object.ts';
import { answerParent } from '../answer-parent.ts';
import type { TakenResponse } from '../take-response.ts';

// The server for comparison: node:http that sends the same bytes without any logic.

export interface BareResponses {
  readonly etag: string;
  readonly whole: TakenResponse;
  readonly notModified: TakenResponse;
}

// Otherwise garbage collection may make one of the two servers slower, at random.
warmTickObject();

const nothing = { status: 404, headers: [] as string[], body: Buffer.alloc(0) };
let etag = '';
let whole = nothing;
let notModified = nothing;

const server = createServer((request, response) => {
  const found = request.headers['if-none-match'] === etag ? notModified : whole;
  response.writeHead(found.status, found.headers);
  response.end(found.body);
});
// The same as in Podstead, because the Keep-Alive header contains it.
server.keepAliveTimeout = 72_000;

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerParent(`http://127.0.0.1:${port}`, {
    cpuMicros,
    respondWith(responses: BareResponses) {
      etag = responses.etag;
      whole = unpack(responses.whole);
      notModified = unpack(responses.notModified);
    },
  });
});

function unpack({ status, headers, body }: TakenResponse) {
  return { status, headers: [...headers], body: Buffer.from(body, 'base64') };
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
