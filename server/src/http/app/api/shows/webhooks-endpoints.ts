import type { Static } from 'typebox';
import Type from 'typebox';
import {
  checkWebhook,
  createWebhook,
  type Delivery,
  deleteWebhook,
  deliveryStates,
  getWebhook,
  listDeliveries,
  listWebhooks,
  rollWebhookSecret,
  sendDeliveryAgain,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookType,
  type WebhookWithSecret,
} from '../../../../domain/exchange/webhooks/index.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { maxWebhooks, webhookTypes } from '../../../../lib/limits.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { pageParameters } from '../../../requests/parameters.ts';
import { byDelivery } from '../../../requests/positions.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, id, moment, named, nullable } from '../../field-schemas.ts';
import { created, ok, page, whole } from '../../response.ts';

/** Webhooks of a show, and what was sent to them. */

const text = Type.String();
const types = Type.Unsafe<WebhookType[]>(Type.Array(text, { maxItems: 20 }));

const CreateWebhook = closed({ url: text, types });
const UpdateWebhook = closed({
  url: Type.Optional(text),
  types: Type.Optional(types),
  is_on: Type.Optional(Type.Boolean()),
});

const WebhookShape = named('Webhook', {
  id,
  url: text,
  types: Type.Array(Type.Enum([...webhookTypes], { type: 'string' })),
  created_at: moment,
  is_on: Type.Boolean(),
  off_reason: nullable(
    Type.Enum(['user', 'failing', 'ownership'], {
      type: 'string',
      description: `user: someone turned it off. failing: every delivery failed. ownership: the
show was transferred.`,
    }),
  ),
  off_at: nullable(moment),
  /** Since when every delivery has failed. */
  failing_since: nullable(moment),
  /** Until when deliveries have the signature of the replaced secret too. */
  grace_ends_at: nullable(moment),
});

const WebhookList = named('WebhookList', {
  data: Type.Array(WebhookShape),
  most: Type.Integer({ description: 'How many webhooks a show may have.' }),
  may_create: Type.Boolean(),
  choices: Type.Object({ types: Type.Array(Type.Enum([...webhookTypes], { type: 'string' })) }),
});

/** The only response that contains a secret. */
const WebhookAndSecret = named('WebhookWithSecret', { webhook: WebhookShape, secret: text });

const DeliveryShape = named('WebhookDelivery', {
  id,
  type: Type.Enum([...webhookTypes, 'ping'], {
    type: 'string',
    description: 'ping: a test.',
  }),
  episode_id: nullable(id),
  episode_title: nullable(text),
  created_at: moment,
  state: Type.Enum([...deliveryStates], {
    type: 'string',
    description: `waiting: it is sent, for the first time or again, at due_at. failed: given up.
dropped: it was no longer true. cancelled: the webhook was turned off.`,
  }),
  attempts: Type.Integer(),
  tried_at: nullable(moment),
  due_at: nullable(moment),
  /** Whether that time has come. */
  is_due: Type.Boolean(),
  /** The status of the last response. */
  status: nullable(Type.Integer()),
  /** Why there was no response. */
  error: nullable(text),
  /** The beginning of the last response's body. */
  response: nullable(text),
  duration_ms: nullable(Type.Integer()),
});

function presentWebhook(webhook: Webhook): Static<typeof WebhookShape> {
  return {
    ...wireNames({ ...webhook, types: [...webhook.types] }),
    is_on: webhook.offReason === null,
  };
}

const presentWithSecret = ({ webhook, secret }: WebhookWithSecret) => ({
  webhook: presentWebhook(webhook),
  secret,
});

const presentDeliveryRow =
  ({ clock }: Pick<Context, 'clock'>) =>
  (delivery: Delivery) => ({
    ...wireNames(delivery),
    is_due: delivery.dueAt !== null && delivery.dueAt <= clock.now(),
  });

const path = '/app/api/podcasts/:podcastId/webhooks';
const onePath = `${path}/:webhookId` as const;

const webhookManagement: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listWebhooks',
    summary: "A show's webhooks, oldest first",
    response: whole(WebhookList),
    async handle({ ctx }, { params: { podcastId } }) {
      const data = (await listWebhooks(ctx, podcastId)).map(presentWebhook);
      const mayCreate = data.length < maxWebhooks;
      return {
        ...{ data, most: maxWebhooks, may_create: mayCreate },
        choices: { types: [...webhookTypes] },
      };
    },
  }),
  defineEndpoint(`POST ${path}`, {
    id: 'createWebhook',
    summary: 'Adds a webhook; only this response contains its secret',
    body: { json: CreateWebhook },
    response: created(WebhookAndSecret),
    check(_http, { body, refuse }) {
      refuse(...checkWebhook(body));
    },
    handle: async ({ ctx }, { params: { podcastId }, body }) =>
      presentWithSecret(await createWebhook(ctx, { podcastId, ...body })),
  }),
  defineEndpoint(`GET ${onePath}`, {
    id: 'getWebhook',
    summary: 'A webhook',
    response: ok(WebhookShape),
    handle: async ({ ctx }, { params }) => presentWebhook(await getWebhook(ctx, params)),
  }),
  defineEndpoint(`PATCH ${onePath}`, {
    id: 'updateWebhook',
    summary: 'Changes the URL or the events of a webhook, or turns it on or off',
    body: { json: UpdateWebhook },
    response: ok(WebhookShape),
    check(_http, { body, refuse }) {
      refuse(...checkWebhook(body));
    },
    async handle({ ctx }, { params, body: { is_on: isOn, ...body } }) {
      return presentWebhook(await updateWebhook(ctx, { ...params, ...body, isOn }));
    },
  }),
  defineEndpoint(`DELETE ${onePath}`, {
    id: 'deleteWebhook',
    summary: 'Deletes a webhook and its deliveries',
    handle: ({ ctx }, { params }) => deleteWebhook(ctx, params),
  }),
  defineEndpoint(`POST ${onePath}/roll`, {
    id: 'rollWebhookSecret',
    summary: 'Gives a webhook a new secret; the old one signs too for a day',
    response: ok(WebhookAndSecret),
    handle: async ({ ctx }, { params }) => presentWithSecret(await rollWebhookSecret(ctx, params)),
  }),
];

const deliveryRoutes: readonly Route[] = [
  defineEndpoint(`POST ${onePath}/test`, {
    id: 'testWebhook',
    summary: 'Sends a test to a webhook',
    response: created(DeliveryShape),
    handle: async ({ ctx }, { params }) => presentDeliveryRow(ctx)(await testWebhook(ctx, params)),
  }),
  defineEndpoint(`GET ${onePath}/deliveries`, {
    id: 'listWebhookDeliveries',
    summary: "A page of a webhook's deliveries of the last seven days, newest first",
    query: Type.Object(pageParameters),
    response: page(DeliveryShape),
    handle: ({ ctx }, { params, page }) =>
      page.read(byDelivery, (query) => listDeliveries(ctx, params, query), presentDeliveryRow(ctx)),
  }),
  defineEndpoint(`POST ${onePath}/deliveries/:deliveryId/send`, {
    id: 'sendWebhookDelivery',
    summary: 'Sends a delivery again',
    response: ok(DeliveryShape),
    handle: async ({ ctx }, { params }) =>
      presentDeliveryRow(ctx)(await sendDeliveryAgain(ctx, params)),
  }),
];

export const webhookRoutes: readonly Route[] = [...webhookManagement, ...deliveryRoutes];
