import type { FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { chooseContentCoding } from '../../lib/content-coding.ts';
import { type Page, pageType } from '../pages/page.ts';
import { createPayload, type ExtraHeaders, sessionCaching } from '../responses/payload.ts';
import { jsonType } from '../responses/send.ts';
import type { PrivateOperation, RouteResponse } from '../route.ts';
import { Pagination } from './field-schemas.ts';

/** A response of the private API: its description, and how it is made from the result. */
export interface Response<Result> {
  readonly responses: PrivateOperation['responses'];
  readonly respond: (result: Result) => RouteResponse;
}

function jsonResponse(body: object): RouteResponse {
  return { kind: 'json', body, caching: sessionCaching };
}

const ofData = (data: TSchema, status: 200 | 201): PrivateOperation['responses'] => ({
  [status]: { description: status === 200 ? 'OK' : 'Created', schema: Type.Object({ data }) },
});

/** Responds with the result as `data`. */
export const ok = (data: TSchema, status: 200 | 201 = 200): Response<unknown> => ({
  responses: ofData(data, status),
  respond: (returned) => jsonResponse({ data: returned }),
});

export const created = (data: TSchema) => ok(data, 201);

/** Responds with the state of a podcast or an episode. Its revision is the ETag. */
export const revised = (
  data: TSchema,
  status: 200 | 201 = 200,
): Response<{ readonly revision: number }> => ({
  responses: ofData(data, status),
  respond: (returned) => ({ ...jsonResponse({ data: returned }), revision: returned.revision }),
});

/** Responds with the result as the whole body. */
export const whole = (schema: TSchema, description = 'OK'): Response<object> => ({
  responses: { 200: { description, schema } },
  respond: jsonResponse,
});

export const page = (item: TSchema) =>
  whole(Type.Object({ data: Type.Array(item), pagination: Pagination }), 'A page');

/** Responds without content, and ignores the result. */
export const nothing: Response<unknown> = {
  responses: { 204: { description: 'Done' } },
  respond: () => ({ kind: 'nothing' }),
};

/** The endpoint returns the response itself. */
export const written = (responses: PrivateOperation['responses']): Response<RouteResponse> => ({
  responses,
  respond: (response) => response,
});

/** For `written`: JSON in pieces (`writeItems`), because a long body would block other requests. */
export async function piecesResponse(
  request: FastifyRequest,
  pieces: readonly Buffer[],
  extra?: ExtraHeaders,
): Promise<RouteResponse> {
  const only = chooseContentCoding(request.headers['accept-encoding']);
  const payload = await createPayload(jsonType, pieces, { only, extra, caching: sessionCaching });
  return { kind: 'payload', payload };
}

/** Responses of account pages. None may be cached. */

export function pageResponse(page: Page): RouteResponse {
  const { text, headers } = page;
  return { kind: 'text', contentType: pageType, text, headers, caching: sessionCaching };
}

/** Redirects after a form, so that reloading the page does not send the form again. */
export function seeOther(location: string): RouteResponse {
  return { kind: 'redirect', status: 303, location, caching: sessionCaching };
}
