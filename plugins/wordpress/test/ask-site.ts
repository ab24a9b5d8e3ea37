import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { WordPress } from './start-wordpress.ts';

interface SiteResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the plugin returns, looked at by a test.
  readonly body: any;
}

/** A request to the plugin's REST routes, as the service sends it. */
export async function askSite(
  { url, authority }: WordPress,
  path: string,
  given: { readonly body?: string; readonly headers?: Record<string, string> } = {},
): Promise<SiteResponse> {
  const { body, headers = {} } = given;
  const { promise, resolve, reject } = Promise.withResolvers<SiteResponse>();
  const method = body === undefined ? 'GET' : 'POST';
  const ca = readFileSync(authority);
  request(`${url}wp-json/podstead/v1/${path}`, { method, headers, ca }, async (response) => {
    resolve({ status: response.statusCode ?? 0, body: await json(response) });
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** The header of a ping. `at`: Unix seconds. */
export function signPing(secret: string, body: string, at = Math.floor(Date.now() / 1000)) {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { 'podstead-signature': `t=${at},v1=${signature}` };
}
