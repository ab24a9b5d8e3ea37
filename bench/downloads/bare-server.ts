import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent, readInput } from '../answer-parent.ts';

/** How a bare server responds: with bytes of a file, or by naming it to nginx. */
export type BareResponse =
  | { readonly file: string; readonly start: number; readonly end: number }
  | { readonly accelRedirect: string };

export interface BareServer {
  readonly url: string;
  readonly pid: number;
}

// Gives every request the same response. This is the limit for any server on node:http.
const found = readInput<BareResponse>();
const body =
  'file' in found ? readFileSync(found.file).subarray(found.start, found.end + 1) : Buffer.of();
const headers = ['Content-Type', 'audio/mpeg', 'Content-Length', String(body.length)];
if ('accelRedirect' in found) headers.push('X-Accel-Redirect', found.accelRedirect);
const status = 'file' in found ? 206 : 200;
const server = createServer((_request, response) => {
  response.writeHead(status, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerParent({ url: `http://127.0.0.1:${port}`, pid: process.pid } satisfies BareServer, {});
});
