import Type from 'typebox';
import { changeEpisodes } from '../../../../domain/media/index.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentOutcome } from '../../present-episode.ts';
import { ok } from '../../response.ts';
import { ChangeEpisodes, EpisodeOutcome } from '../../schemas/episodes.ts';

/** Without If-Match: who selects a hundred episodes has not seen what each of them holds. */
export const episodeBulkRoute = defineEndpoint('POST /app/api/podcasts/:podcastId/episodes/bulk', {
  id: 'changeEpisodes',
  summary: 'Does the same to several episodes; one that is refused stops no other',
  body: { json: ChangeEpisodes },
  response: ok(Type.Array(EpisodeOutcome)),
  handle: async ({ ctx }, { params: { podcastId }, body }) =>
    (await changeEpisodes(ctx, podcastId, body)).map(presentOutcome),
});
