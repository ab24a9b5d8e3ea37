import { signRequest } from '../../../../lib/sign-request.ts';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import { pluginUrl } from '../addresses.ts';
import type { PingToSend } from './queue.sql.ts';

export interface PingLimits {
  /** A site that is gone usually does not even accept a connection. */
  readonly connectTimeoutMs: number;
  /** A small server needs seconds to start WordPress. */
  readonly timeoutMs: number;
}

const usualLimits: PingLimits = { connectTimeoutMs: 5_000, timeoutMs: 15_000 };

/**
 * Tells a site that its feed has changes up to `seq`. Resolves to undefined, or to a short error
 * without secrets. Follows no redirect. Rejects if the signal aborts.
 */
export async function postPing(
  { outbound, clock }: Pick<Context, 'outbound' | 'clock'>,
  { siteId, restRoot, secret, seq }: PingToSend & { readonly siteId: string },
  { signal, limits = usualLimits }: { signal: AbortSignal; limits?: PingLimits | undefined },
): Promise<string | undefined> {
  const body = presentPing({ siteId, seq });
  const headers = {
    'Content-Type': 'application/json',
    'Podstead-Signature': signRequest([secret], body, clock.now()),
  };
  const rules = { httpsOnly: true, maxRedirects: 0 };
  try {
    // The response's body is not read, so its size does not matter.
    const maxBytes = Number.POSITIVE_INFINITY;
    const request = {
      method: 'POST',
      headers,
      body,
      maxBytes,
      signal,
      ...rules,
      ...limits,
    } as const;
    const response = await outbound.request(pluginUrl(restRoot, 'ping'), request);
    response.body.destroy();
    return response.status >= 200 && response.status < 300 ? undefined : `${response.status}`;
  } catch (error) {
    if (error instanceof OutboundError && !signal.aborted) return error.reason;
    throw error;
  }
}

/** The body of a ping (SITE-39). */
function presentPing({ siteId, seq }: { siteId: string; seq: number }): string {
  return JSON.stringify({ site_id: siteId, seq });
}
