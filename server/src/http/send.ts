import type { FastifyReply, FastifyRequest } from 'fastify';
import { evaluateConditions } from '../lib/conditional-request.ts';
import { chooseContentCoding } from '../lib/content-coding.ts';
import { HttpError } from './errors.ts';
import { bytesOf, createPayload, type Payload, publicCacheControl } from './payload.ts';
import type { Answer } from './route.ts';
import type { Web } from './web.ts';

/** Turns what a handler answered into a reply; the same for every route. */
export async function sendAnswer(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> {
  const only = chooseContentCoding(request.headers['accept-encoding']);
  switch (answer.kind) {
    case 'json': {
      const text = reply.serializeInput({ ...answer.body }, String(reply.statusCode)) as string;
      return sendPayload(request, reply, await createPayload(jsonType, text, { only }));
    }
    case 'text':
      return sendPayload(
        request,
        reply,
        await createPayload(answer.contentType, answer.text, { only }),
      );
    case 'payload':
      return sendPayload(request, reply, answer.payload);
    case 'cached':
      web.fastPath.remember(request.raw.url ?? '', answer.entry);
      return sendPayload(request, reply, answer.entry.value);
    case 'redirect':
      return reply
        .header('Cache-Control', publicCacheControl)
        .redirect(answer.location, answer.status);
    case 'sent':
      return reply;
  }
}

export const jsonType = 'application/json; charset=utf-8';

function sendPayload(request: FastifyRequest, reply: FastifyReply, payload: Payload): FastifyReply {
  const variant = payload.variants[chooseContentCoding(request.headers['accept-encoding'])];
  const outcome = evaluateConditions(request.method, request.headers, { hash: payload.hash });
  if (outcome === 'precondition_failed') {
    throw new HttpError({
      status: 412,
      code: 'invalid_request',
      message: 'This has changed: it is no longer what If-Match names.',
    });
  }
  const headers = outcome === 'proceed' ? variant.headers : variant.notModifiedHeaders;
  for (let i = 0; i + 1 < headers.length; i += 2)
    reply.header(headers[i] as string, headers[i + 1]);
  return outcome === 'proceed' ? reply.send(bytesOf(variant)) : reply.code(304).send();
}
