import { appUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { queueEmail } from '../../../foundation/emails/index.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { listMembers } from '../../../publishing/podcasts/index.ts';
import { switchOffWebhooks } from '../webhooks.sql.ts';
import type { WebhookClaim } from './queue.sql.ts';

/** Switches a webhook off that has failed since then, and emails the show's owner and admins. */
export async function giveUpWebhook(
  tx: Context,
  { webhookId, podcastId, host }: Pick<WebhookClaim, 'webhookId' | 'podcastId' | 'host'>,
  since: Date,
): Promise<void> {
  await switchOffWebhooks(tx.db, { webhookId }, 'failing', tx.clock.now());
  const show = await findPublicPodcast(tx, podcastId);
  const link = `${appUrl(tx.installation, 'home')}/shows/${podcastId}/show/webhooks`;
  for (const { role, name, email } of await listMembers(tx, podcastId)) {
    if (role !== 'owner' && role !== 'admin') continue;
    const values = { name, podcast: show?.title ?? '', host, since, link };
    await queueEmail(tx, { template: 'webhook-off', to: email, values });
  }
  tx.log.info({ webhookId, podcastId, since }, 'a webhook that fails was switched off');
}
