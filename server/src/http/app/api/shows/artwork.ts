import { setPodcastArtwork } from '../../../../domain/publishing/images/index.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { ShowSettings } from '../../schemas/shows.ts';
import { readShow } from './read-show.ts';

export const artworkRoute = defineEndpoint('DELETE /app/api/podcasts/:podcastId/artwork', {
  id: 'removePodcastArtwork',
  summary: 'Removes the artwork of a show',
  response: revised(ShowSettings),
  async handle({ ctx }, { params: { podcastId }, request }) {
    await setPodcastArtwork(ctx, podcastId, null, readExpectation(request));
    return readShow(ctx, podcastId);
  },
});
