import type { webhookTypes } from '../../../lib/limits.ts';
import { newSecretToken } from '../../../lib/secret-token.ts';
import type { PublicEpisodeDetail, PublicPodcast } from '../../public/catalogue/index.ts';

/** What a webhook tells. */
export type WebhookType = (typeof webhookTypes)[number];

/** `user`: somebody switched it off. `ownership`: the show was handed over. */
export type WebhookOffReason = 'user' | 'failing' | 'ownership';

/** A webhook without its secret. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly createdAt: Date;
  /** Null: it is on. */
  readonly offReason: WebhookOffReason | null;
  readonly offAt: Date | null;
  /** Since when every delivery has failed; null: the last one arrived. */
  readonly failingSince: Date | null;
  /** Until when the replaced secret signs too; null: there is none. */
  readonly graceEndsAt: Date | null;
}

/** The only time that the secret can be read. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/**
 * waiting: to be sent. failed: given up. dropped: it is not true any more. cancelled: the
 * webhook was switched off before it arrived.
 */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A message for a webhook, and what its last attempt gave. */
export interface Delivery {
  readonly id: string;
  /** `ping`: a test. */
  readonly type: WebhookType | 'ping';
  readonly episodeId: string | null;
  /** Null also if the episode is gone. */
  readonly episodeTitle: string | null;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly triedAt: Date | null;
  /** When it is sent or tried again; null: it is not waiting. */
  readonly dueAt: Date | null;
  /** Of the response; null: there was none. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  /** The beginning of the response's body, as text. */
  readonly response: string | null;
  readonly durationMs: number | null;
}

/**
 * Writes what the public API responds with, as JSON. The shapes are those of http/, which the domain
 * does not know: whoever starts the worker passes them.
 */
export interface WebhookPresenter {
  episode(show: PublicPodcast, episode: PublicEpisodeDetail): string;
  podcast(show: PublicPodcast, episodeCount: number): string;
}

export function newWebhookSecret(): string {
  return `whsec_${newSecretToken()}`;
}
