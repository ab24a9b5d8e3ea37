import Type from 'typebox';
import { listReachedPodcasts } from '../../../domain/access/keys/index.ts';
import { readPodcast } from '../../../domain/publishing/podcasts/index.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import { keyedPage, keyedResponses } from '../responses.ts';
import { defineKeyedRoute, definePodcastRoute } from './keyed-route.ts';
import { KeyedPodcast } from './keyed-schemas.ts';
import { presentKeyedPodcast } from './present-keyed.ts';

export const podcastsRoute = defineKeyedRoute({
  path: '/v1/me/podcasts',
  action: 'podcast.read',
  query: Type.Object(pageParameters),
  id: 'listMyPodcasts',
  tag: 'Your podcasts',
  summary: 'The podcasts that a key can access, oldest first',
  description:
    "Podcasts that the key's user is a member of, whose plan includes the API, and whose owner allows this member to use keys. Sorted by `created_at`, then `id`.",
  responses: keyedResponses('A page of podcasts.', keyedPage(KeyedPodcast, 'Oldest first.')),
  respond: (ctx, { page }) =>
    page.read(byCreation, (query) => listReachedPodcasts(ctx, query), presentKeyedPodcast),
});

export const podcastRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id',
  action: 'podcast.read',
  id: 'getMyPodcast',
  tag: 'Your podcasts',
  summary: 'One of the podcasts that a key can access',
  description: 'A podcast that the key cannot access is 404, like an unknown one.',
  responses: keyedResponses('The podcast.', Type.Object({ data: KeyedPodcast })),
  async respond(ctx, { podcastId }) {
    return { data: presentKeyedPodcast(await readPodcast(ctx, podcastId)) };
  },
});
