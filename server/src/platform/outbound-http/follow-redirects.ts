import type { Hop, HopResponse } from './open-hop.ts';
import { headersForAnotherOrigin, headersWithoutBody } from './outbound-headers.ts';
import { describeUrl, OutboundError, resolveLocation } from './outbound-http.ts';

export interface RedirectRules {
  readonly maxRedirects: number;
  readonly httpsOnly: boolean;
  readonly checkAddress?: ((address: string) => void) | undefined;
}

export interface FinalHop {
  readonly response: HopResponse;
  readonly hop: Hop;
  readonly permanentUrl: string;
}

/** Follows redirects to the final response; the same rules apply to every hop. */
export async function followRedirects(
  first: Hop,
  rules: RedirectRules,
  open: (hop: Hop) => Promise<HopResponse>,
): Promise<FinalHop> {
  const visited = new Set<string>();
  let hop = first;
  let permanentUrl = first.url.href;
  let isPermanent = true;
  for (;;) {
    if (rules.httpsOnly && hop.url.protocol !== 'https:') {
      throw new OutboundError('https_required', `${describeUrl(hop.url)} is not https`);
    }
    rules.checkAddress?.(hop.url.href);
    visited.add(fingerprint(hop));
    const response = await open(hop);
    const location = redirectTarget(response);
    if (location === undefined) return { response, hop, permanentUrl };

    response.body.on('error', () => {}).destroy();
    response.close();
    hop = nextHop(hop, response.status, resolveLocation(location, hop.url));
    if (visited.size > rules.maxRedirects || visited.has(fingerprint(hop))) {
      throw new OutboundError(
        'too_many_redirects',
        `${describeUrl(first.url)} redirects in a loop`,
      );
    }
    isPermanent &&= response.status === 301 || response.status === 308;
    if (isPermanent) permanentUrl = hop.url.href;
  }
}

function fingerprint(hop: Hop): string {
  return `${hop.method} ${hop.url.href}`;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

function redirectTarget(response: HopResponse): string | undefined {
  const { location } = response.headers;
  return redirectStatuses.has(response.status) ? location : undefined;
}

/** RFC 9110 §15.4: 307 and 308 repeat the request, the others turn a POST into a GET. */
function nextHop(hop: Hop, status: number, url: URL): Hop {
  const headers =
    url.origin === hop.url.origin ? hop.headers : headersForAnotherOrigin(hop.headers);
  if (hop.method !== 'POST' || status === 307 || status === 308) return { ...hop, url, headers };
  return { url, method: 'GET', headers: headersWithoutBody(headers), body: undefined };
}
