import { webhookResponseChars } from '../../../../lib/limits.ts';
import { readBeginning } from '../../../../lib/read-beginning.ts';
import { signRequest } from '../../../../lib/sign-request.ts';
import {
  OutboundError,
  type OutboundResponse,
} from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import type { Attempted, DeliveryToSend } from './queue.sql.ts';

export interface DeliveryLimits {
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  /** For the beginning of the response's body. The status decides, so it is not worth waiting for. */
  readonly bodyTimeoutMs: number;
}

const usualDeliveryLimits: DeliveryLimits = {
  connectTimeoutMs: 5_000,
  timeoutMs: 10_000,
  bodyTimeoutMs: 2_000,
};

/** Of UTF-8, more than enough for the characters that are kept. */
const keptBytes = 4 * webhookResponseChars;

/**
 * Sends the body, signed. Resolves to what came back; an error without secrets if there was no
 * response. Follows no redirect. Rejects if the signal aborts.
 */
export async function postDelivery(
  { outbound, clock }: Pick<Context, 'outbound' | 'clock'>,
  { url, secrets }: Pick<DeliveryToSend, 'url' | 'secrets'>,
  body: string,
  {
    signal,
    limits = usualDeliveryLimits,
  }: { signal: AbortSignal; limits?: DeliveryLimits | undefined },
): Promise<Attempted> {
  const { bodyTimeoutMs, ...times } = limits;
  const beganAtMs = performance.now();
  const durationMs = () => Math.round(performance.now() - beganAtMs);
  const headers = {
    'Content-Type': 'application/json',
    'Podstead-Signature': signRequest(secrets, body, clock.now()),
  };
  const rules = { httpsOnly: true, maxRedirects: 0, keepsConnection: true, ...times } as const;
  try {
    const response = await outbound.request(url, {
      ...{ method: 'POST', headers, body, signal, ...rules },
      // Only its beginning is read.
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const text = await readText(response, bodyTimeoutMs);
    return { status: response.status, error: null, response: text, durationMs: durationMs() };
  } catch (error) {
    if (!(error instanceof OutboundError) || signal.aborted) throw error;
    return { status: null, error: error.reason, response: null, durationMs: durationMs() };
  }
}

/** What arrives in this time. */
async function readText({ body }: OutboundResponse, timeoutMs: number): Promise<string> {
  const text = (await readBeginning(body, { mostBytes: keptBytes, timeoutMs })).toString('utf8');
  // The database cannot store NUL; half a pair of surrogates is not UTF-8.
  return text.replaceAll('\0', '\ufffd').slice(0, webhookResponseChars).toWellFormed();
}
