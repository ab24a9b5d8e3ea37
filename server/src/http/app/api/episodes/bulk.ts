import Type from 'typebox';
import { changeEpisodes } from '../../../../domain/media/index.ts';
import { defineRoute } from '../../../route.ts';
import { answerData } from '../../answers.ts';
import { presentOutcome } from '../../present-episode.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { ChangeEpisodes, EpisodeOutcome } from '../../schemas/episodes.ts';
import { ids } from '../../schemas/fields.ts';

/** Without If-Match: who selects a hundred episodes has not seen what each of them holds. */
export const episodeBulkRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/podcasts/:podcastId/episodes/bulk',
  params: ids('podcastId'),
  body: { json: ChangeEpisodes },
  operation: {
    id: 'changeEpisodes',
    summary: 'Does the same to several episodes; one that is refused stops no other',
    responses: ok(Type.Array(EpisodeOutcome)),
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, body }) {
    const outcomes = await changeEpisodes(ctx, podcastId, body);
    return answerData(outcomes.map(presentOutcome));
  },
});
