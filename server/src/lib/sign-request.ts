import { createHmac } from 'node:crypto';

/**
 * The header Podstead-Signature (SITE-40): an HMAC-SHA-256 of time, dot and body under each of the
 * secrets. The time lets receivers refuse old requests.
 */
export function signRequest(secrets: readonly string[], body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return `v1=${hmac}`;
  });
  return [`t=${seconds}`, ...signatures].join();
}
