import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate, testHost } from '../../../test/hosts/certificate.ts';
import { type HttpHost, openHttpHost } from '../../../test/hosts/http-host.ts';
import { createOutboundHttp } from './create-outbound-http.ts';

const certificate = makeCertificate();

describe.skipIf(certificate === undefined)('https', () => {
  const tls = certificate as Certificate;
  let folder: string;
  let authority: string;
  let host: HttpHost;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-tls-'));
    authority = join(folder, 'authority.pem');
    await writeFile(authority, tls.cert);
    host = await openHttpHost((_, response) => response.end('in private'), tls);
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('https is refused with an untrusted certificate', async () => {
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test' });
    const asked = outbound.request(host.url, {
      maxBytes: 1000,
      timeoutMs: 10_000,
    });
    await expect(asked).rejects.toMatchObject({
      reason: 'unreachable',
      message: `127.0.0.1:${host.port}: DEPTH_ZERO_SELF_SIGNED_CERT`,
    });
  });

  it.each([
    [testHost, 'in private'],
    ['127.0.0.1', 'in private'],
    ['other.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('uses NODE_EXTRA_CA_CERTS and the name %s, and no proxy', async (name, expected) => {
    const script = `
      const [module, url] = process.argv.slice(1);
      const { createOutboundHttp } = await import(module);
      const lookup = async () => ['127.0.0.1'];
      const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test', lookup });
      const asked = { maxBytes: 1000, timeoutMs: 10_000, httpsOnly: true };
      const fetched = await outbound.fetchBytes(url, asked).catch((error) => error);
      console.log(fetched instanceof Error ? fetched.message : fetched.bytes.toString());
    `;
    const module = new URL('./create-outbound-http.ts', import.meta.url).href;
    const args = ['--input-type=module', '-e', script, module, `https://${name}:${host.port}/`];
    const proxy = 'http://127.0.0.1:9';
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: authority,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(child.stdout)).toContain(expected);
  });
});
