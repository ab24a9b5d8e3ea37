/**
 * Webhooks: URLs of a show's team that are told of its changes. `told/` finds what has changed for the
 * public, `sending/` sends it. Tables: webhooks, webhook_shows, webhook_episodes, webhook_deliveries.
 */
export type { DeliveryPosition } from './deliveries.sql.ts';
export {
  type DeliveryRef,
  listDeliveries,
  sendDeliveryAgain,
  testWebhook,
} from './list-deliveries.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  type NewWebhook,
  rollWebhookSecret,
  updateWebhook,
  type WebhookChange,
} from './manage-webhooks.ts';
export { purgeDeliveriesJob } from './purge-deliveries.job.ts';
export { WebhookCounts } from './sending/webhook-counts.ts';
export { countWebhookBacklog, startWebhooks } from './sending/webhook-sender.ts';
export {
  type Delivery,
  deliveryStates,
  type Webhook,
  type WebhookPresenter,
  type WebhookType,
  type WebhookWithSecret,
} from './webhook.ts';
export { checkWebhook } from './webhook-url.ts';
export type { WebhookRef } from './webhooks.sql.ts';
