import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { afterResponses, createServerOneAtATime } from './one-at-a-time.ts';

/** What Node reads from a socket at once. */
const chunkBytes = 64 * 1024;

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

async function serve(handle: RequestListener) {
  const server = createServerOneAtATime({ requireHostHeader: false }, handle);
  opened.defer(() => void server.close().closeAllConnections());
  let arrived = 0;
  server.on('request', () => {
    arrived += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const client = connect(port, '127.0.0.1');
    opened.defer(() => void client.destroy());
    return client;
  };
  return { server, open, arrived: () => arrived };
}

const requests = (paths: readonly (string | number)[]) =>
  paths.map((path) => `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const responsesIn = (text: string) => [...text.matchAll(/<(.*?)>/g)].map(([, path]) => path);
const echo: RequestListener = ({ url }, response) => void response.end(`<${String(url).slice(1)}>`);

/** Reads until that many responses have come. */
async function readResponses(client: Socket, count: number): Promise<(string | undefined)[]> {
  let [text, left] = ['', count];
  for await (const chunk of client) {
    const piece = String(chunk);
    text += piece;
    left -= piece.split('>').length - 1;
    if (left <= 0) break;
  }
  return responsesIn(text);
}

it('a request that expects what nobody knows is handled as any other', async () => {
  const { open } = await serve(echo);
  const client = open();
  client.write('GET /a HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\n\r\n');
  expect(await readResponses(client, 1)).toEqual(['a']);
});

describe('pipelined requests', () => {
  it('pipelined requests begin when the previous one has its response, in a later turn of the event loop', async () => {
    let [turn, isOver] = [0, false];
    const turns: number[] = [];
    const { open } = await serve((request, response) => {
      turns.push(turn);
      echo(request, response);
    });
    const counting = (async () => {
      for (; !isOver; turn += 1) await setImmediate();
    })();
    const client = open();
    client.write(requests(numbers(32)));
    expect(await readResponses(client, 32)).toEqual(numbers(32).map(String));
    isOver = true;
    await counting;
    expect(turns).toHaveLength(32);
    expect(new Set(turns).size).toBe(32);
  });

  it('pipelined requests are at work one at a time, and those of other connections beside them', async () => {
    const atWork: { readonly path: string; readonly response: ServerResponse }[] = [];
    const { open } = await serve(({ url: path = '' }, response) => {
      atWork.push({ path, response });
    });
    const [one, other] = [open(), open()];
    one.write(requests(['a', 'b']));
    await expect.poll(() => atWork.map(({ path }) => path)).toEqual(['/a']);
    other.write(requests(['c']));
    await expect.poll(() => atWork.map(({ path }) => path)).toEqual(['/a', '/c']);
    atWork[0]?.response.end();
    await expect.poll(() => atWork.map(({ path }) => path)).toEqual(['/a', '/c', '/b']);
  });

  it('pipelined requests are not read while many wait, and all get a response', async () => {
    // Each piece of 64 kB has few of them.
    const count = 400;
    const text = requests(numbers(count).map((n) => `${n}?${'a'.repeat(3_000)}`));
    let isOpen = false;
    const held: (() => void)[] = [];
    const { open, arrived } = await serve((request, response) => {
      if (isOpen || request.url?.startsWith('/other')) echo(request, response);
      else held.push(() => echo(request, response));
    });
    const client = open();
    client.write(text);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    // After these, the rest would have been read too.
    for (const n of numbers(50)) {
      const other = open();
      other.write(requests([`other-${n}`]));
      await readResponses(other, 1);
    }
    const inChunk = Math.ceil((chunkBytes / text.length) * count * 1.2);
    expect(arrived() - 50).toBeLessThan(inChunk + 8);
    isOpen = true;
    for (const respond of held) respond();
    const paths = (await readResponses(client, count)).map((path) => Number(path?.split('?')[0]));
    expect(paths).toEqual(numbers(count));
  });

  it.each(['GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'a piece with more requests than may be pipelined closes its connection, and is parsed no further: %j',
    async (request) => {
      const { open, arrived } = await serve(() => undefined);
      const client = open();
      const closed = once(client, 'close');
      client.on('error', () => undefined);
      client.resume().write(request.repeat(Math.floor(chunkBytes / request.length)));
      await closed;
      expect(arrived()).toBeGreaterThan(20);
      expect(arrived()).toBeLessThanOrEqual(33);
      const other = open();
      other.write(requests(['other']));
      await expect.poll(arrived).toBeGreaterThan(21);
    },
  );

  it('a request for another protocol ends its connection, because Node does not parse what follows', async () => {
    const { open } = await serve(echo);
    const client = open();
    const upgrade =
      'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    client.write(upgrade + requests(['b']));
    const text = Buffer.concat(await client.toArray()).toString();
    expect(responsesIn(text)).toEqual(['a']);
    expect(text).toContain('Connection: close');
  });

  it('pipelined requests bring their bodies when it is their turn', async () => {
    const { open } = await serve(async (request, response) => {
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      response.end(`<${bytes}>`);
    });
    const client = open();
    const length = 1024 * 1024;
    client.write(requests(numbers(20)));
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
    client.write(Buffer.alloc(length));
    client.write(requests([1]));
    const empty = numbers(20).map(() => '0');
    expect(await readResponses(client, 22)).toEqual([...empty, String(length), '0']);
  });

  it('pipelined requests are dropped when their client leaves', async () => {
    const begun: string[] = [];
    const closed = Promise.withResolvers<void>();
    const { open, arrived } = await serve(({ url = '' }, response) => {
      begun.push(url);
      response.on('close', closed.resolve);
    });
    const client = open();
    client.write(requests([1, 2, 3]));
    await expect.poll(arrived).toBe(3);
    client.destroy();
    await closed.promise;
    await setImmediate();
    await setImmediate();
    expect(begun).toEqual(['/1']);
  });
});

describe('a broken request', () => {
  async function serveAndRefuse(handle: RequestListener) {
    const served = await serve(handle);
    const refuse = (socket: Duplex) =>
      afterResponses(socket, () => void (socket.writable && socket.end('<refused>')));
    served.server.on('clientError', (_error, socket) => refuse(socket));
    served.server.on('connect', (_request, socket) => {
      socket.on('error', () => socket.destroy());
      refuse(socket);
    });
    return served;
  }
  const ends: readonly (readonly [string, string])[] = [
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'a body with a wrong length',
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx`,
    ],
  ];

  it.each(ends)('a broken request is refused alone: %s', async (_, text) => {
    const { open } = await serveAndRefuse(() => undefined);
    const client = open();
    client.write(text);
    expect(await readResponses(client, 1)).toEqual(['refused']);
  });

  it.each(ends)('a broken request waits for the responses before it: %s', async (_, text) => {
    const { open } = await serveAndRefuse((request, response) => {
      response.write(' ');
      setTimeout(() => echo(request, response), 5);
    });
    const client = open();
    client.write(`${requests(['a', 'b'])}${text}`);
    expect(await readResponses(client, 3)).toEqual(['a', 'b', 'refused']);
  });

  it.each(ends)('a broken request is refused once, whatever follows it: %s', async (_, text) => {
    const held: ServerResponse[] = [];
    const { open } = await serveAndRefuse((_request, response) => void held.push(response));
    const client = open();
    client.write(`${requests(['a'])}${text}`);
    await expect.poll(() => held.length).toBe(1);
    for (const _n of numbers(20)) client.write('more nonsense\r\n\r\n');
    held[0]?.end('<a>');
    client.on('error', () => undefined);
    let received = '';
    for await (const chunk of client) received += String(chunk);
    expect(responsesIn(received)).toEqual(['a', 'refused']);
  });

  it.each(ends)(
    'a broken request is dropped when its client leaves during a response: %s',
    async (_, text) => {
      const held: ServerResponse[] = [];
      const { open } = await serveAndRefuse((_request, response) => void held.push(response));
      const client = open();
      client.write(`${requests(['a'])}${text}`);
      await expect.poll(() => held.length).toBe(1);
      client.resetAndDestroy();
      await expect.poll(() => held[0]?.destroyed).toBe(true);
    },
  );
});
