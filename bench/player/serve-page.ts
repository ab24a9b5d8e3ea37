import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import type { Candidate, ServedFile } from './candidates.ts';

export interface ServedPage extends AsyncDisposable {
  readonly url: string;
}

/** Serves a page of another site on its own origin, with the best compression. */
export async function servePage({ html, files }: Candidate): Promise<ServedPage> {
  const page: ServedFile = { type: 'text/html', body: Buffer.from(html) };
  const compressed = new Map(
    [['/', page] as const, ...files].map(
      ([path, { type, body }]) => [path, { type, body: brotliCompressSync(body) }] as const,
    ),
  );
  const server = createServer((request, response) => {
    const file = compressed.get(request.url ?? '');
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Encoding': 'br' });
    response.end(file.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
