import { requestSubscription } from '../../domain/exchange/feed-notifications/index.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import { noStore, plainTextType } from '../responses/payload.ts';
import { defineRoute } from '../route.ts';

/** `/hub`: our WebSub hub. Its responses are text for developers of subscribers (WebSub 5.1.2). */
export const hubRoute = defineRoute({
  method: 'POST',
  path: '/hub',
  access: 'public',
  body: 'form',
  async handle(http, { body, request, reply }) {
    if (!http.consumeHubLimit(request.raw)) {
      const message = 'Too many requests from your network. Try again in a minute.';
      throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
    }
    await requestSubscription(http.ctx, body);
    reply.code(202).header('Cache-Control', noStore).type(plainTextType);
    reply.send('The callback will be asked to confirm this.\n');
    return { kind: 'sent' };
  },
});
