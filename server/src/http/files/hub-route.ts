import type { FastifyReply } from 'fastify';
import { requestSubscription } from '../../domain/exchange/feed-notifications/index.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import { failureOf } from '../http-errors.ts';
import { noStore } from '../responses/payload.ts';
import { defineRoute } from '../route.ts';

/** `/hub`: our WebSub hub. Its responses are text for developers of subscribers (WebSub 5.1.2). */
export const hubRoute = defineRoute({
  method: 'POST',
  path: '/hub',
  access: 'public',
  body: 'form',
  async handle(http, { body, request, reply }) {
    try {
      if (!http.consumeLimit(request.raw)) {
        const message = 'Too many requests from your network. Try again in a minute.';
        throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
      }
      await requestSubscription(http.ctx, body);
      return respond(reply, 202, 'The callback will be asked to confirm this.');
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { status, message, headers = {} } = failureOf(error);
      return respond(reply.headers(headers), status, message);
    }
  },
});

function respond(reply: FastifyReply, status: number, text: string): { readonly kind: 'sent' } {
  reply.code(status).header('Cache-Control', noStore);
  reply.type('text/plain; charset=utf-8').send(`${text}\n`);
  return { kind: 'sent' };
}
