import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookEvent = Webhook['types'][number];

/** Names a webhook of a show. */
export interface WebhookPath {
  readonly podcastId: string;
  readonly webhookId: string;
}

interface WebhookFields {
  readonly url: string;
  readonly types: WebhookEvent[];
}

const path = '/app/api/podcasts/{podcastId}/webhooks';
const onePath = `${path}/{webhookId}` as const;

/** The webhooks of a show, and whether there may be more. */
export const webhooksQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['webhooks', podcastId],
    queryFn: ({ signal }) => bodyOf(api.GET(path, { params: { path: { podcastId } }, signal })),
  });

export const webhookQuery = (of: WebhookPath) =>
  queryOptions({
    queryKey: ['webhooks', of.podcastId, of.webhookId],
    queryFn: ({ signal }) => dataOf(api.GET(onePath, { params: { path: of }, signal })),
  });

/** What was sent to a webhook, newest first. */
export const deliveriesQuery = (of: WebhookPath) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', of.podcastId, of.webhookId, 'deliveries'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: 50, ...(cursor !== null && { cursor }) };
      return bodyOf(api.GET(`${onePath}/deliveries`, { params: { path: of, query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** The response is the only one that has the secret. */
export const createWebhook = (podcastId: string, body: WebhookFields) =>
  dataOf(api.POST(path, { params: { path: { podcastId } }, body }));

export const updateWebhook = (
  of: WebhookPath,
  body: Partial<WebhookFields> & { readonly is_on?: boolean },
) => dataOf(api.PATCH(onePath, { params: { path: of }, body }));

export const deleteWebhook = (of: WebhookPath) =>
  bodyOf(api.DELETE(onePath, { params: { path: of } }));

/** The response is the only one that has the new secret. */
export const rollWebhook = (of: WebhookPath) =>
  dataOf(api.POST(`${onePath}/roll`, { params: { path: of }, body: {} }));

export const testWebhook = (of: WebhookPath) =>
  dataOf(api.POST(`${onePath}/test`, { params: { path: of }, body: {} }));

export const sendDelivery = (of: WebhookPath, deliveryId: string) =>
  dataOf(
    api.POST(`${onePath}/deliveries/{deliveryId}/send`, {
      params: { path: { ...of, deliveryId } },
      body: {},
    }),
  );
