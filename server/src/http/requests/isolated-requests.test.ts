import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HttpContext } from '../http-context.ts';
import { RequestCounts } from '../monitoring/request-counts.ts';
import { type EarlyHandler, isolateRequests } from './isolated-requests.ts';

const error = vi.fn();
const http = {
  ctx: { log: { error }, installation: { baseUrl: 'http://test.local' } },
  counts: new RequestCounts(),
  closing: new AbortController().signal,
} as unknown as HttpContext;

let opened: AsyncDisposableStack;
beforeEach(() => {
  error.mockReset();
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

const mistake = new Error('a mistake');
const throwIt = (): never => {
  throw mistake;
};
const sendHead = (response: ServerResponse) => response.writeHead(200).write('begun');

/** Serves with this step; `/well` is handled by what comes after all steps. */
async function serve(
  step: EarlyHandler['handle'],
  handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.end('well'),
): Promise<string> {
  const only: EarlyHandler = {
    handle: (request, ...rest) => request.url !== '/well' && step(request, ...rest),
  };
  const server = createServer(isolateRequests(http, () => [only], handle));
  opened.defer(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Result {
  readonly status: number | undefined;
  readonly id: unknown;
  readonly body: string;
}

async function ask(url: string): Promise<Result | 'broken'> {
  try {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    const { statusCode: status, headers } = response;
    return { status, id: headers['x-request-id'], body: await text(response) };
  } catch {
    return 'broken';
  }
}

const failures: [string, EarlyHandler['handle']][] = [
  ['throws', throwIt],
  ['rejects', async () => throwIt()],
  ['throws after it has waited', async () => Promise.resolve().then(throwIt)],
];

it.each(failures)(
  'a step that %s costs its request a neutral 500, and nothing else',
  async (_, step) => {
    const url = await serve(step);
    const failed = (await ask(`${url}/v1/shows?token=secret`)) as Result;
    expect(failed.status).toBe(500);
    expect(JSON.parse(failed.body).error).toMatchObject({
      code: 'internal_error',
      request_id: failed.id,
    });
    expect(failed.body).not.toContain('mistake');
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { err: mistake, requestId: failed.id, path: '/v1/shows' },
      expect.any(String),
    );
    expect(await ask(`${url}/well`)).toMatchObject({ status: 200, body: 'well' });
  },
);

it.each<[string, EarlyHandler['handle']]>([
  ['throws', (_, response) => sendHead(response) && throwIt()],
  ['rejects', async (_, response) => sendHead(response) && throwIt()],
])('a step that %s in the middle of its response costs this connection', async (_, step) => {
  const url = await serve(step);
  expect(await ask(`${url}/x`)).toBe('broken');
  expect(error).toHaveBeenCalledOnce();
  expect(await ask(`${url}/well`)).toMatchObject({ status: 200 });
});

it.each<[string, EarlyHandler['handle']]>([
  ['at once', () => false],
  ['later', async () => false],
])('a request fails alone if a step throws after one that passes it on %s', async (_, step) => {
  const url = await serve(step, throwIt);
  expect(await ask(`${url}/x`)).toMatchObject({ status: 500 });
  expect(error).toHaveBeenCalledOnce();
});

it('a log that fails as well does not change that', async () => {
  error.mockImplementationOnce(throwIt);
  const url = await serve(throwIt);
  expect(await ask(`${url}/x`)).toBe('broken');
  expect(await ask(`${url}/well`)).toMatchObject({ status: 200 });
});
