import { createHmac } from 'node:crypto';

/**
 * The header Podstead-Signature (the contract): an HMAC-SHA-256 of time, dot and body under the
 * site's ping secret. The time lets the site refuse old pings.
 */
export function signPing(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}
