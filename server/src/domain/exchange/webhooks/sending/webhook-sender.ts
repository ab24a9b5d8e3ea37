import pLimit from 'p-limit';
import type { Context } from '../../../foundation/context.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import {
  type FailureLane,
  renewClaims,
  Sender,
  type SendQueue,
  startSending,
} from '../../../foundation/sending/index.ts';
import { createShowTurns, findWebhookChanges } from '../told/find-changes.ts';
import {
  claimWebhooks,
  countWebhooks,
  hastenWebhooks,
  releaseLostWebhooks,
  selectWebhookWork,
  type WebhookBacklog,
  type WebhookClaim,
} from './queue.sql.ts';
import { type DeliverySending, sendDeliveries } from './send-deliveries.ts';

/** For the whole process. */
const preparedAtOnce = 4;

export type WebhookSenderOptions = Omit<DeliverySending, 'limited'>;
export type WebhookSender = Sender<FailureLane, WebhookClaim>;

/** Finds what has changed for webhooks, and sends it. */
export function createWebhookSender(ctx: Context, options: WebhookSenderOptions): WebhookSender {
  const { signal, present } = options;
  const limited = pLimit(preparedAtOnce);
  const turns = createShowTurns();
  const queue: SendQueue<FailureLane, WebhookClaim> = {
    delayed: 'webhooks are delayed',
    // One place for each webhook, which sends three requests at once. A body may have a megabyte.
    places: { regular: 32, retry: 8 },
    // Many webhooks are at the same few hosts, such as those of automations.
    placesPerHost: 8,
    limitsAccounts: true,
    schedule: () => findWebhookChanges(ctx, present, signal, turns),
    findDue: () => selectWebhookWork(ctx.db, ctx.clock.now()),
    claim: (lane, request) => claimWebhooks(ctx.db, lane, request),
    renew: (ids, until) => renewClaims(ctx.db, 'webhooks', ids, until),
    releaseLost: (now) => releaseLostWebhooks(ctx.db, now),
    tidy: (now) => hastenWebhooks(ctx.db, now),
    send: (claim, held) => sendDeliveries(ctx, claim, { ...options, limited, signal: held }),
  };
  return new Sender(ctx, queue, signal);
}

const everyMs = 1_000;

/** Sends to webhooks until it is disposed. Any number of processes may do so. Errors are logged. */
export function startWebhooks(
  ctx: Context,
  options: Omit<WebhookSenderOptions, 'signal'>,
): AsyncDisposable {
  return startSending(ctx, everyMs, (signal) => [createWebhookSender(ctx, { ...options, signal })]);
}

export async function countWebhookBacklog(ctx: Context): Promise<WebhookBacklog> {
  requireTrusted(ctx);
  return countWebhooks(ctx.db, ctx.clock.now());
}
