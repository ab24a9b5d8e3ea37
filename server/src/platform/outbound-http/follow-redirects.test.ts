import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type HttpHost, openHttpHost } from '../../../test/hosts/http-host.ts';
import { createOutboundHttp } from './create-outbound-http.ts';
import { followRedirects } from './follow-redirects.ts';
import type { Hop } from './open-hop.ts';
import { OutboundError, type OutboundRequest } from './outbound-http.ts';

const limits: OutboundRequest = { maxBytes: 1_000_000, timeoutMs: 50_000 };
const local = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'Podstead/1.0 (+test)' });

/** `/301/next` redirects to `/next` with 301. Other responses describe the request. */
function serveRedirects(): Promise<HttpHost> {
  return openHttpHost((request, response) => {
    const [, status, to] = /^\/(30\d)\/(.*)$/.exec(request.url ?? '') ?? [];
    if (status === undefined || to === undefined) {
      response.end(`${request.method} ${request.url}`);
    } else {
      response.writeHead(Number(status), { Location: decodeURIComponent(to) }).end('moved');
    }
  });
}

async function getText(url: string, asked: OutboundRequest = limits) {
  const { bytes, response } = await local.fetchBytes(url, asked);
  return { text: bytes.toString(), url: response.url, permanentUrl: response.permanentUrl };
}

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'a fetch follows %d redirects, relative and absolute',
    async (status) => {
      await using server = await serveRedirects();
      const absolute = encodeURIComponent(`${server.url}/there?a=1`);
      expect((await getText(`${server.url}/${status}/${absolute}`)).text).toBe('GET /there?a=1');
      const relative = await getText(`${server.url}/${status}/..%2Fup%3Fq=2`);
      expect(relative.text).toBe('GET /up?q=2');
      expect(relative.url).toBe(`${server.url}/up?q=2`);
    },
  );

  it('returns a redirect without Location, and other 3xx statuses', async () => {
    await using server = await openHttpHost((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status, status === 300 ? { Location: '/elsewhere' } : {}).end('choose');
    });
    for (const status of [302, 300, 304, 305]) {
      const response = await local.request(`${server.url}/${status}`, limits);
      expect(response.status).toBe(status);
      response.body.destroy();
    }
  });

  it('a fetch follows a Location in raw UTF-8', async () => {
    await using server = await openHttpHost((request, response) => {
      if (request.url !== '/') return response.end(request.url);
      response.writeHead(302, { Location: Buffer.from('/Müsli').toString('latin1') }).end();
    });
    expect((await getText(`${server.url}/`)).text).toBe('/M%C3%BCsli');
  });

  // IMPORT-9
  it('a fetch follows a limited number of redirects, and no loop', async () => {
    await using server = await openHttpHost((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return response.end('arrived');
      response.writeHead(302, { Location: left > 0 ? `/${left - 1}` : '/-1' }).end();
    });
    expect((await getText(`${server.url}/5`)).text).toBe('arrived');
    await expect(getText(`${server.url}/6`)).rejects.toMatchObject({
      reason: 'too_many_redirects',
    });
    const none = { ...limits, maxRedirects: 0 };
    expect((await getText(`${server.url}/0`, none)).text).toBe('arrived');
    await expect(getText(`${server.url}/1`, none)).rejects.toMatchObject({
      reason: 'too_many_redirects',
    });
    const before = server.requests.length;
    const patient = { ...limits, maxRedirects: 1000 };
    await expect(getText(`${server.url}/-1`, patient)).rejects.toMatchObject({
      reason: 'too_many_redirects',
    });
    expect(server.requests.length).toBe(before + 1);
  });

  it.each([
    ['http://127.0.0.2/', 'address_not_allowed'],
    ['http://169.254.169.254/latest/', 'address_not_allowed'],
    ['http://[::1]/', 'address_not_allowed'],
    ['http://localhost/', 'address_not_allowed'],
    ['http://user:secret@127.0.0.1/', 'bad_address'],
    ['//user@127.0.0.1/', 'bad_address'],
    ['file:///etc/passwd', 'bad_address'],
    ['gopher://127.0.0.1/', 'bad_address'],
    ['http://', 'bad_address'],
  ])('a redirect to %s is not followed', async (to, reason) => {
    // "localhost" is looked up like other names; its network is not in `allow`.
    const lookup = async () => ['10.0.0.1'];
    await using server = await serveRedirects();
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test', lookup });
    const url = `${server.url}/302/${encodeURIComponent(to)}`;
    await expect(outbound.request(url, limits)).rejects.toMatchObject({ reason });
  });

  it('reports the permanent address', async () => {
    await using server = await serveRedirects();
    const chain = (...statuses: number[]) =>
      statuses.reduceRight(
        (to, status) => `${server.url}/${status}/${encodeURIComponent(to)}`,
        '/end',
      );
    const end = `${server.url}/end`;
    expect((await getText(end)).permanentUrl).toBe(end);
    expect((await getText(chain(301))).permanentUrl).toBe(end);
    expect((await getText(chain(308, 301))).permanentUrl).toBe(end);
    expect((await getText(chain(302))).permanentUrl).toBe(chain(302));
    expect((await getText(chain(302, 301))).permanentUrl).toBe(chain(302, 301));
    expect((await getText(chain(301, 307))).permanentUrl).toBe(chain(307));
    expect((await getText(chain(301, 307, 301))).permanentUrl).toBe(chain(307, 301));
  });

  it('repeats a POST after 307 and 308, and sends GET after others', async () => {
    await using server = await serveRedirects();
    const headers = { 'Content-Type': 'text/plain', 'Content-Language': 'en' };
    const post = { ...limits, method: 'POST' as const, body: 'x', headers };
    for (const [status, method] of [
      [301, 'GET'],
      [302, 'GET'],
      [303, 'GET'],
      [307, 'POST'],
      [308, 'POST'],
    ] as const) {
      expect((await getText(`${server.url}/${status}/%2Fend`, post)).text).toBe(`${method} /end`);
      const sent = server.requests.at(-1)?.headers['content-type'];
      expect(sent).toBe(method === 'POST' ? 'text/plain' : undefined);
    }
  });

  it('sends no credentials to another origin', async () => {
    await using server = await serveRedirects();
    await using other = await serveRedirects();
    const headers = {
      Authorization: 'Bearer secret',
      Cookie: 'a=b',
      'Podstead-Signature': 't=1,v1=ab',
      Range: 'bytes=0-1',
      Accept: 'audio/*',
    };
    await getText(`${server.url}/302/%2Fend`, { ...limits, headers });
    expect(server.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'podstead-signature': 't=1,v1=ab',
    });
    // Credentials that were dropped stay dropped when a redirect returns to the first origin.
    const back = encodeURIComponent(`${server.url}/end`);
    const there = encodeURIComponent(`${other.url}/302/${back}`);
    await getText(`${server.url}/302/${there}`, { ...limits, headers });
    for (const sent of [other.requests.at(-1)?.headers, server.requests.at(-1)?.headers]) {
      expect(sent).toMatchObject({ range: 'bytes=0-1', accept: 'audio/*' });
      expect(sent).not.toHaveProperty('authorization');
      expect(sent).not.toHaveProperty('cookie');
      expect(sent).not.toHaveProperty('podstead-signature');
    }
  });

  it('redirects have one time limit for all hops together', async () => {
    await using server = await openHttpHost((request, response) => {
      const next = `/${Number(request.url?.slice(1)) + 1}`;
      setTimeout(() => response.writeHead(302, { Location: next }).end(), 20);
    });
    const asked = { ...limits, timeoutMs: 150, maxRedirects: 1000 };
    await expect(getText(`${server.url}/0`, asked)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('refuses a redirect from https to http if https is required', async () => {
    const asked: string[] = [];
    const open = async (hop: Hop) => {
      asked.push(hop.url.href);
      const headers = { location: 'http://site.test/' };
      return { status: 302, headers, body: new PassThrough(), close: () => {} };
    };
    const url = new URL('https://site.test/');
    const first: Hop = { url, method: 'GET', headers: {}, body: undefined };
    const followed = followRedirects(first, { maxRedirects: 5, httpsOnly: true }, open);
    await expect(followed).rejects.toThrow(OutboundError);
    await expect(followed).rejects.toMatchObject({ reason: 'https_required' });
    expect(asked).toEqual(['https://site.test/']);
  });
});
