import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { evaluateConditions, formatEtag } from '../../lib/conditional-request.ts';
import { chooseContentCoding } from '../../lib/content-coding.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError } from '../http-errors.ts';
import type { RouteResponse } from '../route.ts';
import {
  bytesOf,
  createPayload,
  noStore,
  type Payload,
  publicCaching,
  type Variant,
} from './payload.ts';

/** Sends a handler's response, in the same way for every route. */
export async function sendResponse(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  result: RouteResponse,
): Promise<FastifyReply> {
  const only = chooseContentCoding(request.headers['accept-encoding']);
  switch (result.kind) {
    case 'json': {
      const { body, caching, revision } = result;
      const text = reply.serializeInput({ ...body }, String(reply.statusCode)) as string;
      const payload = await createPayload(jsonType, text, { only, caching });
      if (revision !== undefined) return sendRevision(http, request, reply, payload, revision);
      return sendPayload(http, request, reply, payload);
    }
    case 'text': {
      const { contentType, text, caching, headers: extra, lasting, revision } = result;
      const headers = { extra, lasting };
      const payload = await createPayload(contentType, text, { only, caching, ...headers });
      if (revision !== undefined) return sendRevision(http, request, reply, payload, revision);
      return sendPayload(http, request, reply, payload);
    }
    case 'nothing':
      return reply.header('Cache-Control', noStore).send();
    case 'payload': {
      const { payload, revision } = result;
      if (revision !== undefined) return sendRevision(http, request, reply, payload, revision);
      return sendPayload(http, request, reply, payload);
    }
    case 'cached':
      http.fastPath.remember(request.raw.url ?? '', result.entry);
      return sendPayload(http, request, reply, result.entry.value);
    case 'redirect': {
      const { cacheControl, vary } = result.caching ?? publicCaching;
      reply.headers({ 'Cache-Control': cacheControl, Vary: vary });
      return reply.redirect(result.location, result.status);
    }
    case 'sent':
      return reply;
  }
}

export const jsonType = 'application/json; charset=utf-8';

function sendPayload(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
): FastifyReply {
  const variant = payload.variants[chooseContentCoding(request.headers['accept-encoding'])];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // The response of a write is new, so there is no earlier version to compare with.
  const outcome = isRead
    ? evaluateConditions(request.method, request.headers, { hash: payload.hash })
    : 'proceed';
  if (outcome === 'precondition_failed') {
    throw new HttpError({
      status: 412,
      code: 'invalid_request',
      message: 'This has changed and no longer matches If-Match.',
    });
  }
  setHeaders(reply, outcome === 'proceed' ? variant.headers : variant.notModifiedHeaders);
  // An ETag would mean that a GET of this address has the same response (RFC 9110 §8.8.3).
  if (!isRead) reply.removeHeader('ETag');
  return outcome === 'proceed' ? sendBody(http, request, reply, variant) : reply.code(304).send();
}

function sendRevision(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  revision: number,
): FastifyReply {
  const variant = payload.variants[chooseContentCoding(request.headers['accept-encoding'])];
  setHeaders(reply, variant.headers);
  reply.header('ETag', formatEtag(String(revision)));
  return sendBody(http, request, reply, variant);
}

function sendBody(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  variant: Variant,
): FastifyReply {
  const body = bytesOf(variant);
  if (request.method === 'HEAD' || !http.bodies.isLarge(body)) return reply.send(body);
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  http.bodies.send(request.raw, reply.raw, body);
  return reply;
}

function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    reply.header(headers[i] as string, headers[i + 1]);
  }
}
