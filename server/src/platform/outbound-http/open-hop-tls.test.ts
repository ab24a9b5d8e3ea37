import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutboundHttp } from './create-outbound-http.ts';

const folder = await mkdtemp(join(tmpdir(), 'podstead-tls-'));
const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
const hasOpenssl = makeCertificate();
if (!hasOpenssl) console.warn('SKIPPED: TLS of the outbound client is not tested, no openssl.');

function makeCertificate(): boolean {
  const names = 'subjectAltName=DNS:site.test,IP:127.0.0.1';
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', ...form, '-subj', '/CN=site.test', '-addext', names, '-days', '2'];
  try {
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', [...args, ...files], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasOpenssl)('https', () => {
  let server: ReturnType<typeof createServer>;
  let port: number;

  beforeAll(async () => {
    const files = { key: await readFile(key), cert: await readFile(certificate) };
    server = createServer(files, (_, response) => response.end('in private'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('is refused with a certificate nobody vouches for', async () => {
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test' });
    const asked = outbound.request(`https://127.0.0.1:${port}/`, {
      maxBytes: 1000,
      timeoutMs: 10_000,
    });
    await expect(asked).rejects.toMatchObject({
      reason: 'unreachable',
      message: `127.0.0.1:${port}: DEPTH_ZERO_SELF_SIGNED_CERT`,
    });
  });

  it.each([
    ['site.test', 'in private'],
    ['127.0.0.1', 'in private'],
    ['other.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('knows NODE_EXTRA_CA_CERTS and the name %s, and no proxy', async (host, expected) => {
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
    const args = ['--input-type=module', '-e', script, module, `https://${host}:${port}/`];
    const proxy = 'http://127.0.0.1:9';
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: certificate,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(child.stdout)).toContain(expected);
  });
});
