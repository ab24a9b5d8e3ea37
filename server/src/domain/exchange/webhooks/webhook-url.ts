import { webhookTypes } from '../../../lib/limits.ts';
import { maxUrlChars } from '../../../lib/web-url.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { WebhookType } from './webhook.ts';

export interface WebhookUrl {
  readonly url: string;
  /** With its port. */
  readonly host: string;
}

/**
 * Undefined unless it is an https URL without login details or fragment. Which address its host has
 * is checked at each request.
 */
export function tryParseWebhookUrl(text: string): WebhookUrl | undefined {
  const url = /^https:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  // An empty fragment is in neither property.
  if (text.includes('#') || url.href.length > maxUrlChars) return undefined;
  return { url: url.href, host: url.host };
}

/** Without the port: a server has many. */
export function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** Says everything that is wrong with what is given. */
export function checkWebhook(given: {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
}): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (given.url !== undefined && tryParseWebhookUrl(given.url) === undefined) {
    details.push({ field: 'url', ...sayRefusal('webhook_url', { max: maxUrlChars }) });
  }
  if (given.types !== undefined) {
    const known = given.types.every((type) => webhookTypes.includes(type as WebhookType));
    const isUseful = given.types.length > 0 && given.types.length <= webhookTypes.length;
    if (!known || !isUseful) details.push({ field: 'types', ...sayRefusal('webhook_types') });
  }
  return details;
}
