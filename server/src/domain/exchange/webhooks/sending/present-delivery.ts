import type { Context } from '../../../foundation/context.ts';
import { countEpisodes, findPublicPodcast } from '../../../public/catalogue/index.ts';
import { findPublicEpisode, isOpenToWebhooks } from '../told/compare-show.ts';
import type { WebhookPresenter } from '../webhook.ts';
import type { DeliveryToSend } from './queue.sql.ts';

/**
 * The body of a delivery, with what the public sees now: an attempt after hours neither repeats what
 * is outdated nor shows what has been withdrawn. `hidden`: the public cannot see the show now.
 * `gone`: it cannot see the episode any more, or can see again what was unpublished.
 */
export async function presentDelivery(
  ctx: Context,
  present: WebhookPresenter,
  podcastId: string,
  delivery: DeliveryToSend,
): Promise<{ readonly body: string } | 'hidden' | 'gone'> {
  const data = await presentData(ctx, present, podcastId, delivery);
  if (data === 'hidden' || data === 'gone') return data;
  const { id, type, createdAt, episodeId } = delivery;
  const about = JSON.stringify({
    ...{ id, type, created_at: createdAt.toISOString() },
    ...{ podcast_id: podcastId, episode_id: episodeId },
  });
  return { body: `${about.slice(0, -1)},"data":${data}}` };
}

async function presentData(
  ctx: Context,
  present: WebhookPresenter,
  podcastId: string,
  { type, episodeId, hasLater }: DeliveryToSend,
): Promise<string> {
  if (type === 'ping') return 'null';
  const show = await findPublicPodcast(ctx, podcastId);
  if (show === undefined || !isOpenToWebhooks(show)) return 'hidden';
  // The one behind it says what has become of the episode.
  if (type === 'episode.unpublished' && hasLater) return 'null';
  if (episodeId === null) return present.podcast(show, await countEpisodes(ctx, show));
  const episode = await findPublicEpisode(ctx, show, episodeId);
  if (type === 'episode.unpublished') return episode === undefined ? 'null' : 'gone';
  return episode === undefined ? 'gone' : present.episode(show, episode);
}
