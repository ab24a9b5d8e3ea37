/** Requests to webhooks that this process has made since its start, for metrics. */
export class WebhookCounts {
  delivered = 0;
  failed = 0;
}
