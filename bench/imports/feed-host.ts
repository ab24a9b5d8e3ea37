import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another feed host. Paths that were not set are 404. */
export interface FeedHost extends AsyncDisposable {
  readonly url: string;
  serve(path: string, body: Buffer): void;
}

export async function openFeedHost(): Promise<FeedHost> {
  const bodies = new Map<string, Buffer>();
  const server = createServer(({ url = '' }, response) => {
    const body = bodies.get(url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (path, body) => void bodies.set(path, body),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
