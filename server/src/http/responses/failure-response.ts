import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type HttpFailure } from '../http-errors.ts';
import { type ErrorPage, renderErrorPage } from '../pages/error-page.ts';
import type { Hosts } from '../pages/listen/view.ts';
import { pageType } from '../pages/page.ts';
import { preferredLanguage } from '../pages/preferred-language.ts';
import { type RouteGroup, routeGroupOf } from '../route-groups.ts';
import { defaultHeaders } from './default-headers.ts';
import { noStore, plainTextType } from './payload.ts';

/** What a response to a failed request depends on. */
export interface FailedRequest {
  /** A request target. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
}

export interface FailureResponse {
  readonly group: RouteGroup;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The show that a refusal may name, and what its page offers instead. */
export type AboutShow = Pick<ErrorPage, 'show' | 'newest'>;

/** The response to a failed request, in the form of its group. */
export function failureResponseTo(
  { url, headers: requestHeaders, requestId }: FailedRequest,
  failure: HttpFailure,
  hosts: Hosts,
  about: AboutShow = {},
): FailureResponse {
  const group = routeGroupOf(url);
  const headers: Record<string, string> = {
    ...defaultHeaders(group, requestId, hosts.baseUrl),
    'Cache-Control': noStore,
  };
  if (failure.status === 503) headers['Retry-After'] = '5';
  Object.assign(headers, failure.headers);
  // Not for the app, which signs in without HTTP authentication.
  if (failure.status === 401 && group.name !== 'app') headers['WWW-Authenticate'] = 'Bearer';
  if (group.errors === 'text') {
    headers['Content-Type'] = plainTextType;
    return { group, headers, text: plainTextOf(failure) };
  }
  if (group.errors === 'page') {
    const page = renderErrorPage({
      failure,
      requestId,
      framed: group.name === 'embed',
      isOfShow: group.name === 'page' && /^\/(?:listen\/|@)/.test(url),
      language: preferredLanguage(requestHeaders['accept-language']),
      ...about,
      hosts,
    });
    return {
      group,
      headers: { ...headers, ...page.headers, 'Content-Type': pageType },
      text: page.text,
    };
  }
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const withKeys = group.name === 'app';
  const text = JSON.stringify(errorBody(failure, requestId, hosts.baseUrl, { withKeys }));
  return { group, headers, text };
}

/** For developers: what is wrong, and a line for each field. Names of fields may come from the request. */
function plainTextOf({ message, details = [] }: HttpFailure): string {
  const about = details.map(({ field, message: reason }) => `${field}: ${reason}`);
  const lines = [message, ...about].map((line) => line.replaceAll(/\p{Cc}/gu, '?'));
  return `${lines.join('\n')}\n`;
}

/** Sends the response without the framework. The head must not have been sent. Returns the group. */
export function writeFailure(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  failure: HttpFailure,
  hosts: Hosts,
): RouteGroup {
  const { url = '', headers: requestHeaders } = request;
  const { group, headers, text } = failureResponseTo(
    { url, headers: requestHeaders, requestId },
    failure,
    hosts,
  );
  const length = { 'Content-Length': String(Buffer.byteLength(text)) };
  response.writeHead(failure.status, { ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : text);
  return group;
}
