import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { openHttpHost } from '../../../test/hosts/http-host.ts';
import { patience } from '../../../test/patience.ts';
import { createOutboundHttp } from './create-outbound-http.ts';
import { OutboundError, type OutboundFailure, type OutboundRequest } from './outbound-http.ts';

const userAgent = 'Podstead/1.0 (+https://podstead.test)';
const limits: OutboundRequest = { maxBytes: 1_000_000, timeoutMs: 50_000 };
const local = createOutboundHttp({ allow: ['127.0.0.0/8'], userAgent });

async function failureOf(promise: Promise<unknown>): Promise<OutboundFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return (error as OutboundError).reason;
}

/** A server that counts its connections. */
const listenOn = (port: number) => async (address: string) => {
  let opened = 0;
  const server = createTcpServer((socket) => {
    opened += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { connections: () => opened, close };
};

describe('addresses', () => {
  const strict = createOutboundHttp({ allow: [], userAgent });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://192.168.0.1:8080/',
    'http://255.255.255.255/',
    'https://10.0.0.1/',
    'http://localhost/',
  ])('refuses %s', async (url) => {
    expect(await failureOf(strict.request(url, limits))).toBe('address_not_allowed');
  });

  it.each([
    'example.com/feed',
    '//example.com/feed',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://[::1/',
    '',
  ])('refuses %j as an invalid address', async (url) => {
    expect(await failureOf(strict.request(url, limits))).toBe('bad_address');
  });

  // IMPORT-9
  it('refuses a host with only private addresses', async () => {
    const lookup = async () => ['10.0.0.1', '::1', '169.254.169.254'];
    const outbound = createOutboundHttp({ allow: [], userAgent, lookup });
    expect(await failureOf(outbound.request('http://evil.test/', limits))).toBe(
      'address_not_allowed',
    );
  });

  it('connects only to the allowed addresses of a host', async () => {
    await using server = await openHttpHost((_, response) => response.end('hello'));
    const lookup = async () => ['10.255.255.1', 'fd00::1', '127.0.0.1'];
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent, lookup });
    const { bytes } = await outbound.fetchBytes(`http://mixed.test:${server.port}/`, limits);
    expect(bytes.toString()).toBe('hello');
  });

  it('never connects to a private address beside an allowed one, not even if that fails', async () => {
    const secret = createServer((_, response) => response.end('hello'));
    const reached: string[] = [];
    secret.on('connection', ({ localAddress = '' }) => reached.push(localAddress));
    // On all addresses of this machine.
    await new Promise<void>((resolve) => secret.listen(0, '0.0.0.0', resolve));
    const { port } = secret.address() as AddressInfo;
    const lookup = vi.fn(async () => ['127.0.0.2', '::ffff:127.0.0.3', '127.0.0.1', '127.0.0.4']);
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent, lookup });
    await outbound.fetchBytes(`http://mixed.test:${port}/`, limits);
    expect(reached).toEqual(['127.0.0.1']);
    await new Promise((resolve) => secret.close(resolve));

    const others = await Promise.all(['127.0.0.2', '127.0.0.3', '127.0.0.4'].map(listenOn(port)));
    const failure = await failureOf(outbound.request(`http://mixed.test:${port}/`, limits));
    expect(failure).toBe('unreachable');
    expect(others.map(({ connections }) => connections())).toEqual([0, 0, 0]);
    expect(lookup).toHaveBeenCalledTimes(2);
    await Promise.all(others.map(({ close }) => close()));
  });

  it('a connection does not use the private address of a name with both kinds, in each order', async () => {
    const found: (readonly string[])[] = [];
    const ownAddresses = () => ['198.41.0.4'];
    const lookup = async () => found.shift() ?? [];
    const outbound = createOutboundHttp({ allow: [], userAgent, lookup, ownAddresses });
    for (const addresses of [
      ['198.41.0.4', '10.0.0.1'],
      ['fd00::1', '198.41.0.4'],
    ]) {
      found.push(addresses);
      expect(await failureOf(outbound.request('http://mixed.test:9100/', limits))).toBe(
        'address_not_allowed',
      );
    }
  });

  it("refuses this machine's own addresses, by name, number and redirect", async () => {
    await using server = await openHttpHost((_, response) =>
      response.writeHead(307, { Location: 'http://198.41.0.4:9100/metrics' }).end(),
    );
    const ownAddresses = () => ['198.41.0.4', '2606:4700:4700::1111'];
    const lookup = async () => ['198.41.0.4', '2606:4700:4700::1111'];
    const rules = { allow: ['127.0.0.1'], userAgent, lookup, ownAddresses };
    const outbound = createOutboundHttp(rules);
    for (const url of [
      'http://own.test:9100/',
      'https://own.test:8443/',
      'http://198.41.0.4:9100/',
      'http://3324575748:9100/',
      'http://[2606:4700:4700:0::1111]:9100/',
      'http://[::ffff:198.41.0.4]:9100/',
      server.url,
    ]) {
      expect(await failureOf(outbound.request(url, limits)), url).toBe('address_not_allowed');
    }
    expect(server.connections().opened).toBe(1);
  });

  // IMPORT-9
  it('checks the very address that it connects to', async () => {
    await using server = await openHttpHost((_, response) => response.end('secret'));
    const responses = [['127.0.0.1'], ['127.0.0.2']];
    const lookup = vi.fn(async () => responses.shift() ?? []);
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent, lookup });
    const url = `http://rebind.test:${server.port}/`;
    // One look-up serves both the check and the connection.
    expect((await outbound.fetchBytes(url, limits)).bytes.toString()).toBe('secret');
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(await failureOf(outbound.request(url, limits))).toBe('address_not_allowed');
    expect(server.connections().opened).toBe(1);
  });

  it('reports an unknown host or a closed port as unreachable', async () => {
    const lookup = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    const lost = createOutboundHttp({ allow: [], userAgent, lookup });
    expect(await failureOf(lost.request('http://gone.test/', limits))).toBe('unreachable');
    const empty = createOutboundHttp({ allow: [], userAgent, lookup: async () => [] });
    expect(await failureOf(empty.request('http://empty.test/', limits))).toBe('unreachable');
    const server = await openHttpHost(() => {});
    await server[Symbol.asyncDispose]();
    expect(await failureOf(local.request(server.url, limits))).toBe('unreachable');
  });

  // IMPORT-9
  it('refuses http if https is required', async () => {
    await using server = await openHttpHost((_, response) => response.end());
    const failure = await failureOf(local.request(server.url, { ...limits, httpsOnly: true }));
    expect(failure).toBe('https_required');
    expect(server.requests).toEqual([]);
  });

  it('allows http only within OUTBOUND_ALLOW if the caller wants it, also after a redirect', async () => {
    await using server = await openHttpHost((request, response) => {
      const headers = request.url === '/away' ? { Location: 'http://example.test/' } : {};
      response.writeHead(request.url === '/away' ? 302 : 200, headers).end('hello');
    });
    const lookup = async (name: string) => [name === 'near.test' ? '127.0.0.1' : '198.41.0.4'];
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent, lookup });
    const asked = { ...limits, httpWithinAllowOnly: true };
    const near = `http://near.test:${server.port}/`;
    expect((await outbound.fetchBytes(near, asked)).bytes.toString()).toBe('hello');
    for (const url of ['http://example.test/', 'http://198.41.0.4/', `${near}away`])
      expect(await failureOf(outbound.request(url, asked))).toBe('address_not_allowed');
  });
});

describe('requests', () => {
  it('sends a body in pieces whole, with its length, and does not read ahead of the server', async () => {
    const received: Buffer[] = [];
    await using server = await openHttpHost(async (request, response) => {
      for await (const chunk of request) received.push(chunk);
      response.end(String(request.headers['content-length']));
    });
    const pieces = Array.from({ length: 40 }, (_, at) => Buffer.alloc(100_000, at));
    const asked = { ...limits, method: 'POST', body: pieces } as const;
    const { bytes } = await local.fetchBytes(server.url, asked);
    expect(bytes.toString()).toBe('4000000');
    expect(Buffer.concat(received).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('ends a body in pieces when the server responds early and hangs up', async () => {
    await using server = await openHttpHost((_, response) => {
      response.writeHead(413, { Connection: 'close' }).end(() => response.destroy());
    });
    const body = Array.from({ length: 400 }, () => Buffer.alloc(100_000));
    const early = local.request(server.url, { ...limits, method: 'POST', body });
    const status = await early.then(
      (response) => response.status,
      (error: OutboundError) => error.reason,
    );
    expect([413, 'unreachable']).toContain(status);
  });

  it('sends its own user agent and the caller’s headers and body', async () => {
    let received = '';
    await using server = await openHttpHost((request, response) => {
      request.on('data', (chunk) => {
        received += chunk;
      });
      request.on('end', () => response.writeHead(201, { 'X-Two': ['a', 'b'] }).end('made'));
    });
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'other', 'X-Sig': '1' };
    const asked = { ...limits, method: 'POST' as const, headers, body: '{"seq":1}' };
    const response = await local.request(`${server.url}/ping?x=1#part`, asked);
    expect(Buffer.concat(await response.body.toArray()).toString()).toBe('made');
    expect(response.status).toBe(201);
    expect(response.headers['x-two']).toBe('a, b');
    expect(received).toBe('{"seq":1}');
    expect(server.requests[0]?.path).toBe('/ping?x=1');
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': userAgent,
      'content-type': 'application/json',
      'x-sig': '1',
    });
  });

  it('tries once more with another user agent after a 403, if it is asked to', async () => {
    const second = 'Mozilla/5.0 (compatible; Podstead/1.0; +https://podstead.test)';
    await using server = await openHttpHost((request, response) => {
      const isKnown = request.headers['user-agent']?.startsWith('Mozilla/5.0');
      response.writeHead(isKnown && request.url === '/' ? 200 : 403).end('body');
    });
    const statusOf = async (path: string, triesSecondAgent: boolean) => {
      const response = await local.request(server.url + path, { ...limits, triesSecondAgent });
      response.body.destroy();
      return response.status;
    };
    expect(await statusOf('/', true)).toBe(200);
    expect(await statusOf('/', false)).toBe(403);
    expect(await statusOf('/secret', true)).toBe(403);
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      ...[userAgent, second],
      userAgent,
      ...[userAgent, second],
    ]);
  });

  it('returns HEAD, 204 and 304 without a body, with any headers', async () => {
    await using server = await openHttpHost((request, response) => {
      const status = Number(request.url?.slice(1));
      const headers = { 'Content-Encoding': 'gzip', 'Content-Length': '5000000' };
      response.writeHead(status, status === 204 ? {} : headers).end();
    });
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ] as const) {
      const response = await local.request(`${server.url}/${status}`, { ...limits, method });
      expect(response.status).toBe(status);
      expect(await response.body.toArray()).toEqual([]);
    }
  });

  it('throws http_status for any status except 200 if bytes are requested', async () => {
    await using server = await openHttpHost((_, response) => response.writeHead(404).end('no'));
    const failure = local.fetchBytes(`${server.url}/feed?token=secret`, limits);
    await expect(failure).rejects.toMatchObject({ reason: 'http_status', status: 404 });
    await expect(failure).rejects.toThrow(`${server.url}/feed returned status 404`);
  });

  it('closes its connections', async () => {
    await using server = await openHttpHost((_, response) => response.end('x'.repeat(500_000)));
    await local.fetchBytes(server.url, limits);
    const left = await local.request(server.url, limits);
    left.body.destroy();
    await vi.waitUntil(() => server.connections().open === 0, patience);
    expect(server.connections().opened).toBe(2);
  });
});

describe('bodies', () => {
  const text = Buffer.from('All good podcasts. '.repeat(2_000));

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    ['gzip', Buffer.concat([gzipSync(text.subarray(0, 99)), gzipSync(text.subarray(99))])],
  ])('decodes %s', async (coding, body) => {
    await using server = await openHttpHost((_, response) =>
      response.writeHead(200, { 'Content-Encoding': coding }).end(body),
    );
    const { bytes } = await local.fetchBytes(server.url, limits);
    expect(bytes.equals(text)).toBe(true);
  });

  it.each([
    ['gzip', Buffer.from('this is not gzip')],
    ['gzip', gzipSync(text).subarray(0, 60)],
    ['deflate', Buffer.from('x')],
    ['br', Buffer.from('this is not brotli')],
    ['compress', text],
  ])('reports a broken %s body as unreachable', async (coding, body) => {
    await using server = await openHttpHost((_, response) =>
      response.writeHead(200, { 'Content-Encoding': coding }).end(body),
    );
    expect(await failureOf(local.fetchBytes(server.url, limits))).toBe('unreachable');
  });

  // IMPORT-12
  it.each([
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['gzip, identity, gzip', gzipSync(gzipSync(text))],
    ['zstd', zstdCompressSync(text)],
  ])(
    'refuses a body in %s: several codings, or one that was not requested',
    async (coding, body) => {
      await using server = await openHttpHost((_, response) =>
        response.writeHead(200, { 'Content-Encoding': coding }).end(body),
      );
      const refused = local.fetchBytes(server.url, limits);
      await expect(refused).rejects.toMatchObject({
        reason: 'unreachable',
        message: expect.stringContaining('content coding'),
      });
    },
  );

  // IMPORT-12
  it.each([
    ['gzip', gzipSync(text), true],
    ['br', brotliCompressSync(text), false],
    ['deflate', deflateSync(text), false],
  ])('a request for no coding accepts gzip alone (%s)', async (coding, body, isAccepted) => {
    await using server = await openHttpHost((_, response) =>
      response.writeHead(200, { 'Content-Encoding': coding }).end(body),
    );
    const headers = { 'Accept-Encoding': 'identity' };
    const fetched = local.fetchBytes(server.url, { ...limits, headers }).then(({ bytes }) => bytes);
    if (isAccepted) expect((await fetched).equals(text)).toBe(true);
    else expect(await failureOf(fetched)).toBe('unreachable');
  });

  it('accepts a body of maxBytes and refuses one more byte', async () => {
    await using server = await openHttpHost((request, response) => {
      response.writeHead(200);
      response.end('x'.repeat(Number(request.url?.slice(1))));
    });
    const asked = { ...limits, maxBytes: 1000 };
    expect((await local.fetchBytes(`${server.url}/1000`, asked)).bytes.length).toBe(1000);
    expect(await failureOf(local.fetchBytes(`${server.url}/1001`, asked))).toBe('too_large');
  });

  it('refuses a Content-Length beyond maxBytes before it reads the body', async () => {
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200, { 'Content-Length': '5000000000' });
      response.write('x');
    });
    expect(await failureOf(local.request(server.url, limits))).toBe('too_large');
  });

  it('stops an endless body and closes the connection', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const gone = Promise.withResolvers<void>();
    await using server = await openHttpHost((_, response) => {
      response.on('close', gone.resolve);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    expect(await failureOf(local.fetchBytes(server.url, limits))).toBe('too_large');
    await gone.promise;
  });

  it('stops a gzip bomb at maxBytes', async () => {
    // 500 MB of zeros in half a megabyte.
    const bomb = gzipSync(Buffer.alloc(500_000_000));
    await using server = await openHttpHost((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().rss;
    expect(await failureOf(local.fetchBytes(server.url, limits))).toBe('too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('stops an endless stream of empty gzip members, which decodes to nothing', async () => {
    const members = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')));
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      const more = () => {
        while (!response.destroyed && response.write(members));
      };
      response.on('drain', more);
      more();
    });
    expect(await failureOf(local.fetchBytes(server.url, limits))).toBe('too_large');
  });

  it('reports a body that ends early or is reset as unreachable', async () => {
    await using server = await openHttpHost((request, response) => {
      response.writeHead(200, request.url === '/length' ? { 'Content-Length': '1000' } : {});
      response.write('only this', () => response.destroy());
    });
    for (const path of ['/length', '/chunked']) {
      expect(await failureOf(local.fetchBytes(server.url + path, limits))).toBe('unreachable');
    }
  });

  it('gives a late reader the whole body after the server has closed', async () => {
    const body = Buffer.alloc(120_000, 'x');
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200, { Connection: 'close' }).end(body);
    });
    const response = await local.request(server.url, limits);
    await vi.waitUntil(() => server.connections().open === 0, patience);
    expect(Buffer.concat(await response.body.toArray()).equals(body)).toBe(true);
  });

  it('reports a response that is not HTTP as unreachable', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('220 smtp.example.com ESMTP\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await failureOf(local.request(`http://127.0.0.1:${port}/`, limits))).toBe('unreachable');
    expect(await failureOf(local.request(`https://127.0.0.1:${port}/`, limits))).toBe(
      'unreachable',
    );
    server.close();
  });
});

describe('time', () => {
  it('fails if the server never responds', async () => {
    await using server = await openHttpHost(() => {});
    const asked = { ...limits, timeoutMs: 60 };
    expect(await failureOf(local.request(server.url, asked))).toBe('timeout');
    await vi.waitUntil(() => server.connections().open === 0, patience);
  });

  it('fails if the body stops', async () => {
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200);
      response.write('a beginning');
    });
    const asked = { ...limits, idleTimeoutMs: 60 };
    expect(await failureOf(local.fetchBytes(server.url, asked))).toBe('timeout');
  });

  it('fails if the body comes more slowly than allowed', async () => {
    await using server = await openHttpHost((_, response) => {
      const dripping = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(dripping));
    });
    const minimumRate = { bytesPerSecond: 1000, periodMs: 100 };
    const asked = { ...limits, timeoutMs: 60_000, minimumRate };
    expect(await failureOf(local.fetchBytes(server.url, asked))).toBe('too_slow');
  });

  it('fails if the body comes too slowly in total', async () => {
    await using server = await openHttpHost((_, response) => {
      const dripping = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(dripping));
    });
    const asked = { ...limits, timeoutMs: 150, idleTimeoutMs: 1000 };
    expect(await failureOf(local.fetchBytes(server.url, asked))).toBe('timeout');
  });

  it('fails if a name is never resolved', async () => {
    const lookup = () => new Promise<string[]>(() => {});
    const outbound = createOutboundHttp({ allow: [], userAgent, lookup });
    const failure = await failureOf(
      outbound.request('http://slow.test/', { ...limits, timeoutMs: 60 }),
    );
    expect(failure).toBe('timeout');
  });

  it('rejects with the caller’s reason after an abort, early or late', async () => {
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200);
      response.write('a beginning');
    });
    const reason = new Error('the import was cancelled');
    const stopped = { ...limits, signal: AbortSignal.abort(reason) };
    await expect(local.request(server.url, stopped)).rejects.toBe(reason);
    expect(server.requests).toEqual([]);

    const stop = new AbortController();
    const response = await local.request(server.url, { ...limits, signal: stop.signal });
    const reading = response.body.toArray();
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await vi.waitUntil(() => server.connections().open === 0, patience);
  });

  it('a client that is closed ends running requests, and starts no more', async () => {
    await using server = await openHttpHost((_, response) => {
      response.writeHead(200);
      response.write('a beginning');
    });
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent });
    const response = await outbound.request(server.url, limits);
    const failure = failureOf(response.body.toArray());
    await outbound[Symbol.asyncDispose]();
    expect(await failure).toBe('unreachable');
    expect(await failureOf(outbound.request(server.url, limits))).toBe('unreachable');
  });
});
