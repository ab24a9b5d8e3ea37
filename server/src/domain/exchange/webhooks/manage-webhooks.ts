import {
  maxWebhooks,
  maxWebhooksPerHost,
  webhookGraceHours,
  webhookTypes,
} from '../../../lib/limits.ts';
import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { keepTelling, startTelling, stopTelling } from './told/start-telling.ts';
import {
  newWebhookSecret,
  type Webhook,
  type WebhookType,
  type WebhookWithSecret,
} from './webhook.ts';
import { checkWebhook, hostnameOf, tryParseWebhookUrl, type WebhookUrl } from './webhook-url.ts';
import {
  deleteWebhookRow,
  insertWebhook,
  lockWebhook,
  replaceWebhookSecret,
  selectOtherUrls,
  selectWebhook,
  selectWebhooks,
  switchOffWebhooks,
  switchOnWebhook,
  updateWebhookRow,
  type WebhookRef,
} from './webhooks.sql.ts';

export interface NewWebhook {
  readonly podcastId: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
}

export interface WebhookChange extends WebhookRef {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
  readonly isOn?: boolean | undefined;
}

/** Lists the webhooks of a show, oldest first. */
export async function listWebhooks(ctx: Context, podcastId: string): Promise<Webhook[]> {
  await authorize(ctx, 'webhooks.manage', { podcastId });
  return selectWebhooks(ctx.db, podcastId, ctx.clock.now());
}

export async function getWebhook(ctx: Context, ref: WebhookRef): Promise<Webhook> {
  await authorize(ctx, 'webhooks.manage', { podcastId: ref.podcastId });
  return requireFound(await selectWebhook(ctx.db, ref, ctx.clock.now()), 'webhook');
}

/**
 * Adds a webhook, which is told of what happens from now on. Only the result contains its secret.
 * Refuses the eleventh of a show (`webhook_limit`), and what `refuseCrowd` does.
 */
export async function createWebhook(ctx: Context, input: NewWebhook): Promise<WebhookWithSecret> {
  const { podcastId } = input;
  await authorize(ctx, 'webhooks.manage', { podcastId });
  refuseWrong('The webhook was not created.', checkWebhook(input));
  const id = newId();
  const secret = newWebhookSecret();
  const { principal } = ctx;
  const create = async (tx: Context): Promise<Webhook | undefined> => {
    if (await startTelling(tx, podcastId)) return undefined;
    const address = parsed(input.url);
    await refuseCrowd(tx, { podcastId, webhookId: id }, address);
    const row = {
      ...{ id, podcastId, secret, types: inOrder(input.types), ...address },
      createdBy: principal.kind === 'user' ? principal.userId : null,
      createdAt: tx.clock.now(),
    };
    if (!(await insertWebhook(tx.db, row, maxWebhooks)))
      throw invalid('url', sayRefusal('webhook_limit', { max: maxWebhooks }), 'webhook_limit');
    return await getWebhook(tx, { podcastId, webhookId: id });
  };
  let webhook: Webhook | undefined;
  while (webhook === undefined) webhook = await transact(ctx, create);
  return { webhook, secret };
}

/**
 * Changes what is given. Switching a webhook off cancels what it waits to send. One that is switched
 * on again is notified of what happens from then on.
 */
export async function updateWebhook(ctx: Context, change: WebhookChange): Promise<Webhook> {
  const { url, types, isOn } = change;
  return changeWebhook(ctx, change, async (tx, before) => {
    const { offReason } = before;
    refuseWrong('The webhook was not saved.', checkWebhook(change));
    const address = url === undefined ? undefined : parsed(url);
    if (address !== undefined && address.url !== before.url) await refuseCrowd(tx, change, address);
    await updateWebhookRow(tx.db, change.webhookId, { address, types: types && inOrder(types) });
    if (isOn === true && offReason !== null) await switchOnWebhook(tx.db, change.webhookId);
    if (isOn === false)
      await switchOffWebhooks(tx.db, { webhookId: change.webhookId }, 'user', tx.clock.now());
  });
}

/** Replaces the secret. Both sign for a day; an earlier grace ends. */
export async function rollWebhookSecret(ctx: Context, ref: WebhookRef): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const webhook = await changeWebhook(ctx, ref, async (tx) => {
    const graceUntil = new Date(tx.clock.now().getTime() + webhookGraceHours * 3_600_000);
    await replaceWebhookSecret(tx.db, ref.webhookId, secret, graceUntil);
  });
  return { webhook, secret };
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(ctx: Context, ref: WebhookRef): Promise<void> {
  const { podcastId, webhookId } = ref;
  await authorize(ctx, 'webhooks.manage', { podcastId });
  await transact(ctx, async (tx) => {
    await stopTelling(tx, podcastId, async () => {
      if ((await lockWebhook(tx.db, ref)) === undefined) throw notFound('webhook');
      // It may have waited while the user was removed.
      await authorize(tx, 'webhooks.manage', { podcastId });
      await deleteWebhookRow(tx.db, webhookId);
    });
  });
}

/**
 * Refuses a second webhook of the show with this URL (`webhook_url_taken`), and a fourth for its host
 * (`webhook_host_limit`): each change would be sent to it so many times. Call it with the show's row of
 * webhook_shows locked.
 */
async function refuseCrowd(tx: Context, ref: WebhookRef, { url, host }: WebhookUrl): Promise<void> {
  const others = await selectOtherUrls(tx.db, ref);
  if (others.some((other) => other.url === url))
    throw invalid('url', sayRefusal('webhook_url_taken'), 'webhook_url_taken');
  const name = hostnameOf(host);
  if (others.filter((other) => hostnameOf(other.host) === name).length < maxWebhooksPerHost) return;
  const said = sayRefusal('webhook_host_limit', { max: maxWebhooksPerHost, host: name });
  throw invalid('url', said, 'webhook_host_limit');
}

/** Runs `work` with the show and the webhook locked, and returns the webhook afterwards. */
async function changeWebhook(
  ctx: Context,
  ref: WebhookRef,
  work: (tx: Context, webhook: Pick<Webhook, 'offReason' | 'url'>) => Promise<void>,
): Promise<Webhook> {
  await authorize(ctx, 'webhooks.manage', { podcastId: ref.podcastId });
  return transact(ctx, async (tx) => {
    await keepTelling(tx, ref.podcastId);
    const webhook = requireFound(await lockWebhook(tx.db, ref), 'webhook');
    // It may have waited while the user was removed.
    await authorize(tx, 'webhooks.manage', { podcastId: ref.podcastId });
    await work(tx, webhook);
    return requireFound(await selectWebhook(tx.db, ref, tx.clock.now()), 'webhook');
  });
}

const inOrder = (types: readonly WebhookType[]) =>
  webhookTypes.filter((type) => types.includes(type));

function parsed(url: string): WebhookUrl {
  const address = tryParseWebhookUrl(url);
  if (address === undefined) throw new RangeError('the URL of a webhook was not checked');
  return address;
}
