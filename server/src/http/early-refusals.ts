import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpFailure } from './errors.ts';
import { writeFailure } from './failure-answer.ts';
import type { HttpContext } from './http-context.ts';
import type { FirstStep } from './isolated-requests.ts';
import { hasKeyInUrl } from './key-in-url.ts';
import { routeGroupOf } from './route-groups.ts';

/** Writes a refusal without the framework, in the same form. */
function refuseEarly(
  { ctx, counts }: Pick<HttpContext, 'ctx' | 'counts'>,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  failure: HttpFailure,
): true {
  const group = writeFailure(request, response, requestId, failure, ctx.installation);
  counts.add(group.name, failure.status);
  return true;
}

const publicLimitReached: HttpFailure = {
  status: 429,
  code: 'rate_limited',
  message: 'Too many requests from your network. Try again in a minute.',
  headers: { 'Retry-After': '60' },
};

/**
 * Refuses requests beyond the public limit, and counts those that no earlier step has answered. A
 * refused request is not counted, so asking again for one that `CachedAnswers` has passed on is right.
 */
export class PublicLimit implements FirstStep {
  readonly #http: Pick<HttpContext, 'ctx' | 'counts' | 'consumeLimit'>;

  constructor(http: Pick<HttpContext, 'ctx' | 'counts' | 'consumeLimit'>) {
    this.#http = http;
  }

  handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    // The contract refuses a key in the address before it counts the request.
    if (!routeGroupOf(url).limited || hasKeyInUrl(url)) return false;
    if (this.#http.consumeLimit(request)) return false;
    return refuseEarly(this.#http, request, response, requestId, publicLimitReached);
  }
}
