import { collectBytes } from '../../../lib/byte-collector.ts';
import { tryParseObject } from '../../../lib/parse-json.ts';
import { OutboundError } from '../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../foundation/context.ts';
import { type DomainError, invalid } from '../../foundation/errors.ts';
import { pluginUrl } from './addresses.ts';

/** The plugin's response is one short JSON object. */
const maxBytes = 64 * 1024;
const timeoutMs = 10_000;

export interface Challenge {
  readonly restRoot: string;
  readonly state: string;
  readonly codeChallenge: string;
}

/**
 * Requests the challenge of the plugin at `restRoot`. Refuses with `challenge_unreachable` without
 * a 200 in ten seconds, and with `challenge_mismatch` for a redirect or any body but JSON with this
 * `code_challenge`.
 */
export async function fetchChallenge(ctx: Context, challenge: Challenge): Promise<void> {
  const body = await fetchBody(ctx, challenge);
  if (tryParseObject(body)?.['code_challenge'] !== challenge.codeChallenge) {
    throw mismatch('The plugin returned a different code_challenge.');
  }
}

async function fetchBody(ctx: Context, { restRoot, state }: Challenge): Promise<string> {
  try {
    const url = pluginUrl(restRoot, 'challenge', { state });
    const limits = { httpsOnly: true, maxRedirects: 0, maxBytes, timeoutMs };
    const headers = { Accept: 'application/json' };
    const { status, body } = await ctx.outbound.request(url, { headers, ...limits });
    if (status === 200) return (await collectBytes(body)).toString('utf8');
    body.destroy();
    if (status >= 300 && status < 400) throw redirected();
    throw unreachable(`The plugin returned status ${status}.`);
  } catch (error) {
    throw error instanceof OutboundError ? refusalOf(error) : error;
  }
}

function refusalOf({ reason }: OutboundError): DomainError {
  switch (reason) {
    case 'too_many_redirects':
    // The requested address is valid, so these errors come from redirects.
    case 'bad_address':
    case 'https_required':
      return redirected();
    case 'too_large':
      return mismatch('The plugin returned more than a challenge.');
    case 'timeout':
      return unreachable(`The plugin did not respond within ${timeoutMs / 1000} seconds.`);
    default:
      // No details, because the causes would tell a stranger about our network.
      return unreachable('The plugin cannot be reached over https at a public IP address.');
  }
}

function redirected(): DomainError {
  return mismatch('The plugin redirected the request. Send the URL that it redirects to.');
}

function mismatch(message: string): DomainError {
  return invalid('rest_root', message, 'challenge_mismatch');
}

function unreachable(message: string): DomainError {
  return invalid('rest_root', message, 'challenge_unreachable');
}
