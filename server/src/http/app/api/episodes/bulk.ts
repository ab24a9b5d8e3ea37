import Type from 'typebox';
import { changeEpisodes } from '../../../../domain/media/index.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentOutcome } from '../../present-episode.ts';
import { ok } from '../../response.ts';
import { ChangeEpisodes, EpisodeOutcome } from '../../schemas/episodes.ts';

/** Without If-Match: a user who selects a hundred episodes has not seen all their fields. */
export const episodeBulkRoute = defineEndpoint('POST /app/api/podcasts/:podcastId/episodes/bulk', {
  id: 'changeEpisodes',
  summary: 'Applies one action to several episodes; a refused one does not stop the others',
  body: { json: ChangeEpisodes },
  response: ok(Type.Array(EpisodeOutcome)),
  handle: async ({ ctx }, { params: { podcastId }, body }) =>
    (await changeEpisodes(ctx, podcastId, body)).map(presentOutcome),
});
