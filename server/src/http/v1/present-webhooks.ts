import type { WebhookPresenter } from '../../domain/exchange/webhooks/index.ts';
import type { Installation } from '../../domain/foundation/context.ts';
import { serializerFor } from '../responses/serializers.ts';
import { presentEpisodeDetail, presentPodcast } from './present-public.ts';
import { PublicEpisodeDetail, PublicPodcast } from './public-schemas.ts';

/** Writes for webhooks what the public API has as `data`, by the same conversions and schemas. */
export function createWebhookPresenter(hosts: Installation): WebhookPresenter {
  const writeEpisode = serializerFor(PublicEpisodeDetail);
  const writePodcast = serializerFor(PublicPodcast);
  return {
    episode: (show, episode) => writeEpisode(presentEpisodeDetail(hosts, show, episode)),
    podcast: (show, episodeCount) => writePodcast(presentPodcast(hosts, show, episodeCount)),
  };
}
