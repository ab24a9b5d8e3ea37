import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Covers `anything.sites.test` and 127.0.0.1. */
export const testHost = 'blog.sites.test';
const names = 'subjectAltName=DNS:sites.test,DNS:*.sites.test,IP:127.0.0.1';

/**
 * A self-signed certificate, valid for two days; undefined without openssl, because Node cannot
 * create one. Clients trust it if they get `cert` as an authority.
 */
export function makeCertificate(): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', ...form, '-subj', '/CN=sites.test', '-addext', names, '-days', '2'];
  try {
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    console.warn('SKIPPED: https is not tested, there is no openssl.');
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
