import { describe, expect, it, vi } from 'vitest';
import { openHttpHost } from '../../../../test/hosts/http-host.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { createOutboundHttp } from '../../../platform/outbound-http/create-outbound-http.ts';
import type { OutboundHttp } from '../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../foundation/context.ts';
import { tryParseHome } from './addresses.ts';
import { fetchChallenge } from './fetch-challenge.ts';

const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const userAgent = 'Podstead/1.0';
const fetchWith = (outbound: OutboundHttp, siteUrl: string) => {
  const challenge = { restRoot: `${siteUrl}wp-json/`, state: 's'.repeat(32), codeChallenge };
  return fetchChallenge({ outbound } as Context, challenge);
};

/** The real client, which says why it refused. Otherwise a closed port would look the same. */
function createWitness(lookup: (host: string) => Promise<readonly string[]>) {
  const client = createOutboundHttp({ allow: [], userAgent, lookup });
  const reasons: string[] = [];
  const outbound: OutboundHttp = {
    ...client,
    request: (url, asked) =>
      client.request(url, asked).catch((error) => {
        reasons.push(error.reason);
        throw error;
      }),
  };
  return { outbound, reasons };
}

// IMPORT-9
describe('a challenge never leaves the public internet', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/blog/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
  ])('a challenge is never sent to %s', async (text) => {
    const home = tryParseHome(text);
    if (home === undefined) throw new Error(`${text} is refused before`);
    const { outbound, reasons } = createWitness(async () => []);
    const { details } = await refusalOf(fetchWith(outbound, home.url));
    expect(reasons).toEqual(['address_not_allowed']);
    expect(details[0]).toEqual({
      field: 'rest_root',
      reason: 'challenge_unreachable',
      message: 'The plugin cannot be reached over https at a public IP address.',
    });
  });

  it.each([
    ['one private address', ['10.0.0.1']],
    ['several', ['127.0.0.1', '::1', '169.254.169.254']],
    ['an address in disguise', ['::ffff:10.0.0.1']],
  ])('a challenge is never sent to a name of %s', async (_, addresses) => {
    const { outbound, reasons } = createWitness(async () => addresses);
    const { details } = await refusalOf(fetchWith(outbound, 'https://blog.example/'));
    expect(reasons).toEqual(['address_not_allowed']);
    expect(details[0]?.reason).toBe('challenge_unreachable');
  });

  it('a challenge is never sent to a name that resolves to another address the second time', async () => {
    const responses = [['127.0.0.2'], ['127.0.0.1']];
    const lookup = vi.fn(async () => responses.shift() ?? []);
    const client = createOutboundHttp({ allow: ['127.0.0.2'], userAgent, lookup });
    const asked = { httpsOnly: true, maxRedirects: 0, maxBytes: 10, timeoutMs: 50 };
    await client.request('https://rebind.example/', asked).catch(() => undefined);
    expect(lookup).toHaveBeenCalledTimes(1);
    const { details } = await refusalOf(fetchWith(client, 'https://rebind.example/'));
    expect(details[0]?.reason).toBe('challenge_unreachable');
    expect(lookup).toHaveBeenCalledTimes(2);
  });
});

describe('a challenge is not fetched', () => {
  // IMPORT-9, SITE-16
  it('a challenge is not fetched over http, nor from a server without TLS', async () => {
    await using host = await openHttpHost((_, response) => response.end('{}'));
    const client = createOutboundHttp({ allow: ['127.0.0.1'], userAgent });
    const toPort = (scheme: string): OutboundHttp => ({
      ...client,
      request: (_url, asked) => client.request(`${scheme}://127.0.0.1:${host.port}/`, asked),
    });
    const overHttp = await refusalOf(fetchWith(toPort('http'), 'https://blog.example/'));
    expect(overHttp.details[0]?.reason).toBe('challenge_mismatch');
    const overTls = await refusalOf(fetchWith(toPort('https'), 'https://blog.example/'));
    expect(overTls.details[0]?.reason).toBe('challenge_unreachable');
    expect(host.requests).toEqual([]);
  });
});
