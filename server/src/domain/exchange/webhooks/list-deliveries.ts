import { type Page, toPage } from '../../../lib/list-page.ts';
import { newId } from '../../../lib/uuid.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import {
  type DeliveryPosition,
  lockDelivery,
  selectDeliveries,
  selectDelivery,
} from './deliveries.sql.ts';
import { getWebhook } from './manage-webhooks.ts';
import { insertTest, requeueDelivery } from './sending/queue.sql.ts';
import type { Delivery } from './webhook.ts';
import { lockWebhook, type WebhookRef } from './webhooks.sql.ts';

export interface DeliveryRef extends WebhookRef {
  readonly deliveryId: string;
}

/** Lists a webhook's deliveries, newest first. */
export async function listDeliveries(
  ctx: Context,
  ref: WebhookRef,
  { limit, after }: { readonly limit: number; readonly after?: DeliveryPosition | undefined },
): Promise<Page<Delivery, DeliveryPosition>> {
  await getWebhook(ctx, ref);
  const rows = await selectDeliveries(ctx.db, ref.webhookId, { limit: limit + 1, after });
  return toPage(rows, limit, ({ seq }) => ({ seq }));
}

/** Requests that somebody makes by hand, of all webhooks of a show together. */
const perShow: AttemptLimit = { name: 'webhook requests', most: 10, windowMs: 60_000 };

/**
 * Sends a test, also to a webhook that is off. It is tried once. Refuses the eleventh request in a
 * minute (`rate_limited`).
 */
export async function testWebhook(ctx: Context, ref: WebhookRef): Promise<Delivery> {
  await authorize(ctx, 'webhooks.manage', { podcastId: ref.podcastId });
  await getWebhook(ctx, ref);
  await consumeAttempt(ctx, [perShow, ref.podcastId]);
  const id = newId();
  return transact(ctx, async (tx) => {
    if ((await lockWebhook(tx.db, ref)) === undefined) throw notFound('webhook');
    // It may have waited while the user was removed.
    await authorize(tx, 'webhooks.manage', { podcastId: ref.podcastId });
    await insertTest(tx.db, ref.webhookId, id, tx.clock.now());
    return requireFound(await selectDelivery(tx.db, ref.webhookId, id), 'delivery');
  });
}

/**
 * Sends a delivery again, or one that waits now. It has the same id, and what the public sees now.
 * Refuses it for a webhook that is off, and the eleventh request in a minute.
 */
export async function sendDeliveryAgain(ctx: Context, ref: DeliveryRef): Promise<Delivery> {
  const { webhookId, deliveryId } = ref;
  await authorize(ctx, 'webhooks.manage', { podcastId: ref.podcastId });
  await getWebhook(ctx, ref);
  requireFound(await selectDelivery(ctx.db, webhookId, deliveryId), 'delivery');
  await consumeAttempt(ctx, [perShow, ref.podcastId]);
  return transact(ctx, async (tx) => {
    const webhook = requireFound(await lockWebhook(tx.db, ref), 'webhook');
    const delivery = requireFound(await lockDelivery(tx.db, webhookId, deliveryId), 'delivery');
    // The same.
    await authorize(tx, 'webhooks.manage', { podcastId: ref.podcastId });
    if (webhook.offReason !== null && delivery.type !== 'ping')
      throw invalid('webhook', sayRefusal('webhook_off'), 'webhook_off');
    await requeueDelivery(tx.db, webhookId, deliveryId, tx.clock.now());
    return requireFound(await selectDelivery(tx.db, webhookId, deliveryId), 'delivery');
  });
}
