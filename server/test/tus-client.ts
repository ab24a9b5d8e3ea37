import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';

/** A client of the tus protocol over real connections, as one signed-in user. */
export interface TusClient {
  create(sizeBytes: number, metadata: Readonly<Record<string, string>>): Promise<TusResponse>;
  offsetOf(location: string): Promise<number>;
  head(location: string): Promise<TusResponse>;
  /** Sends `body` at `offset`. */
  send(location: string, offset: number, body: Buffer): Promise<TusResponse>;
  /** Announces `promised` bytes, writes `body`, and then breaks the connection. */
  sendAndBreak(location: string, offset: number, body: Buffer, promised: number): Promise<void>;
  /** Announces `promised` bytes, sends `body`, and waits for a response without sending more. */
  sendAndWait(location: string, offset: number, body: Buffer, promised: number): Waiting;
  request(method: string, path: string, options?: TusRequest): Promise<TusResponse>;
}

interface Waiting {
  readonly ended: Promise<TusResponse | 'broken'>;
}

interface TusRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface TusResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const origin = 'http://test.local';

export function createTusClient(address: () => string, cookie: () => string): TusClient {
  const open = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): { request: ReturnType<typeof httpRequest>; responded: Promise<TusResponse> } => {
    const request = httpRequest(new URL(path, address()), {
      method,
      agent: false,
      headers: { origin, cookie: cookie(), 'tus-resumable': '1.0.0', ...headers },
    });
    const responded = new Promise<TusResponse>((resolve, reject) => {
      request.on('error', reject).on('response', async (response) => {
        const body = Buffer.concat(await Readable.from(response).toArray()).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    responded.catch(() => {});
    return { request, responded };
  };
  const patch = (location: string, offset: number, length: number) =>
    open('PATCH', location, {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    });
  const ask: TusClient['request'] = (method, path, { headers = {}, body } = {}) => {
    const { request, responded } = open(method, path, headers);
    request.end(body);
    return responded;
  };
  const head: TusClient['head'] = (location) => ask('HEAD', location);
  return {
    request: ask,
    head,
    create: (sizeBytes, metadata) =>
      ask('POST', '/app/api/uploads', {
        headers: { 'upload-length': String(sizeBytes), 'upload-metadata': encode(metadata) },
      }),
    async offsetOf(location) {
      let response = await head(location);
      // A request of a broken connection may have arrived later, and taken its place.
      while (response.status === 503) response = await head(location);
      return Number(response.headers['upload-offset']);
    },
    async send(location, offset, body) {
      const { request, responded } = patch(location, offset, body.length);
      request.end(body);
      return await responded;
    },
    async sendAndBreak(location, offset, body, promised) {
      const { request, responded } = patch(location, offset, promised);
      await new Promise<void>((resolve) => request.write(body, () => resolve()));
      request.destroy();
      await responded.catch(() => {});
    },
    sendAndWait(location, offset, body, promised) {
      const { request, responded } = patch(location, offset, promised);
      request.write(body);
      return { ended: responded.catch(() => 'broken' as const) };
    },
  };
}

function encode(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}
