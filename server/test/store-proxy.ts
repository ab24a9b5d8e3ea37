import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What the proxy does with a request. */
export type StoreFault = (exchange: Exchange) => void | Promise<void>;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sends the request to the store, and resolves to its whole response. */
  pass(changeBody?: (body: Buffer) => Buffer): Promise<Passed>;
}

interface Passed {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** A proxy between a process and an S3 store that fails as stores and networks do. */
export class StoreProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  #fault: StoreFault | undefined;
  #left = 0;
  /** The requests since the last `inject`, with faults or without. */
  requests = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => this.#handle(request, response));
  }

  static async open(target: string): Promise<StoreProxy> {
    const proxy = new StoreProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The endpoint; the store checks signatures of requests to it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Handles this many requests, or all until `restore`, with the fault. */
  inject(fault: StoreFault, times = Number.POSITIVE_INFINITY): void {
    this.#fault = fault;
    this.#left = times;
    this.requests = 0;
  }

  restore(): void {
    this.#fault = undefined;
    // Connections on which nothing happens any more would stay so.
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    this.requests += 1;
    this.#left -= 1;
    const pass: Exchange['pass'] = async (changeBody = (body) => body) => {
      const { hostname, port } = this.#target;
      // Swift sends the end of a body after responses that have none, which breaks the next response.
      const own = { ...headers, connection: 'close' };
      const body = changeBody(await buffer(request));
      const passing = httpRequest({ hostname, port, method, path, headers: own, agent: false });
      passing.on('error', () => undefined).end(body);
      const [stored] = (await once(passing, 'response')) as [IncomingMessage];
      const { connection: _, ...kept } = stored.headers;
      return { status: stored.statusCode ?? 0, headers: kept, body: await buffer(stored) };
    };
    const fault = this.#left < 0 ? undefined : this.#fault;
    const handled = Promise.resolve((fault ?? sendUnchanged)({ request, response, pass }));
    handled.catch(() => response.destroy());
  }
}

export async function sendUnchanged({ response, pass }: Exchange): Promise<void> {
  const { status, headers, body } = await pass();
  response.writeHead(status, headers).end(body);
}

/** A response of S3 with an error. */
const refusing =
  (status: number, code: string, headers: Record<string, string> = {}, fields = ''): StoreFault =>
  ({ request, response }) => {
    // A store reads what it refuses, or the sender would see a broken connection.
    request.resume().once('end', () => {
      const body =
        '<?xml version="1.0" encoding="UTF-8"?>' +
        `<Error><Code>${code}</Code><Message>said by the store</Message>${fields}</Error>`;
      response.writeHead(status, { 'content-type': 'application/xml', ...headers });
      response.end(request.method === 'HEAD' ? '' : body);
    });
  };

const halfOf = (body: Buffer): Buffer => body.subarray(0, Math.floor(body.length / 2));

/** What happens on the way from the store, or to it, to a request that the store gets. */
export const storeFaults = {
  'a reset after the request was done': async ({ response, pass }) => {
    await pass();
    response.destroy();
  },
  'a body that stops in the middle': async ({ response, pass }) => {
    const { status, headers, body } = await pass();
    response.writeHead(status, headers);
    response.write(halfOf(body), () => response.destroy());
  },
  'a body that ends before its length': async ({ request, response, pass }) => {
    const { status, headers, body } = await pass();
    response.writeHead(status, { ...headers, connection: 'close' });
    if (request.method === 'HEAD' || body.length === 0) response.end();
    else response.write(halfOf(body), () => response.socket?.end());
  },
  'bytes that change on their way to the store': async ({ request, response, pass }) => {
    const { status, headers, body } = await pass((sent) => {
      const changed = Buffer.from(sent);
      if (request.method === 'PUT' && changed.length > 0) changed[0] = (changed[0] as number) ^ 1;
      return changed;
    });
    response.writeHead(status, headers).end(body);
  },
} satisfies Record<string, StoreFault>;

const elsewhere = { location: 'http://127.0.0.1:9/elsewhere', 'x-amz-bucket-region': 'eu-west-1' };
const token = '<Token-0>secret-token</Token-0><StringToSign>signed text</StringToSign>';

export const storeRefusals: Readonly<Record<string, StoreFault>> = {
  '503 SlowDown': refusing(503, 'SlowDown'),
  '503 SlowDown with Retry-After': refusing(503, 'SlowDown', { 'retry-after': '1' }),
  '500 InternalError': refusing(500, 'InternalError'),
  '403 ExpiredToken': refusing(403, 'ExpiredToken', {}, token),
  '403 InvalidAccessKeyId': refusing(403, 'InvalidAccessKeyId'),
  '403 RequestTimeTooSkewed': refusing(403, 'RequestTimeTooSkewed'),
  '301 PermanentRedirect': refusing(301, 'PermanentRedirect', elsewhere),
  '307 TemporaryRedirect': refusing(307, 'TemporaryRedirect', elsewhere),
  '404 NoSuchBucket': refusing(404, 'NoSuchBucket'),
  '400 RequestTimeout': refusing(400, 'RequestTimeout'),
  'a reset': ({ response }) => void response.destroy(),
};
