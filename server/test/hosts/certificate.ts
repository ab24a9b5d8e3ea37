import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A host that the certificate covers unless other names are given. */
export const testHost = 'blog.sites.test';

/**
 * A self-signed certificate for these names and for 127.0.0.1, valid for two days; undefined without
 * openssl, because Node cannot create one. Clients trust it if they get `cert` as an authority.
 */
export function makeCertificate(
  hosts: readonly string[] = ['sites.test', '*.sites.test'],
): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = `subjectAltName=IP:127.0.0.1,${hosts.map((host) => `DNS:${host}`).join()}`;
  const args = ['req', ...form, '-subj', `/CN=${hosts[0]}`, '-addext', names, '-days', '2'];
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
