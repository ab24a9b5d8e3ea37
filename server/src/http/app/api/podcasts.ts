import Type from 'typebox';
import { listMyPodcasts } from '../../../domain/publishing/podcasts/index.ts';
import { pageParameters, podcastId } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentMyPodcast } from '../present.ts';
import { page } from '../response.ts';
import { MyPodcast } from '../schemas/podcasts.ts';

export const podcastsRoute = defineEndpoint('GET /app/api/podcasts', {
  id: 'listPodcasts',
  summary: 'A page of the podcasts that the user works on',
  query: Type.Object({
    ...pageParameters,
    /** Returns only this podcast. */
    podcast: Type.Optional(podcastId),
  }),
  response: page(MyPodcast),
  handle({ ctx }, { query: { podcast }, page }) {
    const refs = podcast === undefined ? undefined : [podcast];
    return page.read(
      byCreation,
      (query) => listMyPodcasts(ctx, { ...query, refs }),
      presentMyPodcast,
    );
  },
});
