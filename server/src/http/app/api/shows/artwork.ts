import { setPodcastArtwork } from '../../../../domain/media/index.ts';
import { defineRoute } from '../../../route.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { readExpectation } from '../../revision.ts';
import { ids } from '../../schemas/fields.ts';
import { ShowSettings } from '../../schemas/shows.ts';
import { answerShow } from './answer-show.ts';

export const artworkRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: '/app/api/podcasts/:podcastId/artwork',
  params: ids('podcastId'),
  operation: {
    id: 'removePodcastArtwork',
    summary: 'Removes the artwork of a show',
    responses: ok(ShowSettings),
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, request }) {
    await setPodcastArtwork(ctx, podcastId, null, readExpectation(request));
    return answerShow(ctx, podcastId);
  },
});
