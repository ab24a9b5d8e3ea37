import Type from 'typebox';
import { explainEpisode } from '../../../../domain/audience/analytics/index.ts';
import { figuresOf } from '../../../analytics/figures.ts';
import { presentFigures } from '../../../analytics/present-figures.ts';
import { checkRangeParameters, rangeParameters } from '../../../analytics/range-parameters.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentExplanation } from '../../present-analytics.ts';
import { whole } from '../../response.ts';
import { EpisodeExplanation } from '../../schemas/analytics.ts';

export const explainRoute = defineEndpoint('GET /app/api/episodes/:episodeId/analytics/explain', {
  id: 'explainEpisodeDownloads',
  summary: 'Why the downloads of an episode are what they are, for days with evidence',
  query: Type.Object(rangeParameters),
  response: whole(figuresOf(EpisodeExplanation)),
  check: checkRangeParameters,
  async handle({ ctx }, { params: { episodeId }, checked: range }) {
    const explanation = await explainEpisode(ctx, episodeId, range);
    return presentFigures(ctx, presentExplanation(episodeId, explanation), explanation);
  },
});
