import Type from 'typebox';
import { explainEpisode } from '../../../../domain/analytics/index.ts';
import { defineRoute } from '../../../route.ts';
import { checkRangeParameters, rangeParameters } from '../../../v1/keyed/analytics/parameters.ts';
import { presentExplanation } from '../../present-analytics.ts';
import { forSignedIn } from '../../requester.ts';
import { EpisodeExplanation } from '../../schemas/analytics.ts';
import { ids } from '../../schemas/fields.ts';
import { answerFigures, figures } from './answer-figures.ts';

export const explainRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/episodes/:episodeId/analytics/explain',
  params: ids('episodeId'),
  query: Type.Object(rangeParameters),
  operation: {
    id: 'explainEpisodeDownloads',
    summary: 'Why the downloads of an episode are what they are, for days with evidence',
    responses: figures(EpisodeExplanation),
  },
  check: checkRangeParameters,
  async handle(http, { caller: { ctx }, params: { episodeId }, checked: range }) {
    const explanation = await explainEpisode(ctx, episodeId, range);
    return answerFigures(http, presentExplanation(episodeId, explanation), explanation);
  },
});
