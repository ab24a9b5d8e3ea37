import Type from 'typebox';
import { readBreakdown } from '../../../../domain/audience/analytics/index.ts';
import { countedDimensions } from '../../../../domain/audience/downloads/index.ts';
import { Breakdown, figuresOf } from '../../../analytics/figures.ts';
import { presentBreakdown, presentFigures } from '../../../analytics/present-figures.ts';
import { checkRangeParameters, rangeParameters } from '../../../analytics/range-parameters.ts';
import { episodeId } from '../../../requests/parameters.ts';
import { definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';

const dimension = Type.Enum([...countedDimensions], {
  type: 'string',
  description: 'How downloads are grouped; `devices` needs advanced analytics',
  examples: ['apps'],
});

export const breakdownRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/breakdowns',
  action: 'analytics.read',
  query: Type.Object({ dimension, ...rangeParameters, episode_id: Type.Optional(episodeId) }),
  id: 'getMyBreakdown',
  tag: 'Your analytics',
  summary: 'Downloads of a podcast by app, country, device, source or referrer',
  description:
    'Downloads of the whole podcast, or of its episode `episode_id`. Returns the 5 entries with the most downloads, or 15 on a plan with advanced analytics, and the rest as the entry `other`. Downloads with an unknown value form the entry `unknown`, which is ranked like the others. `referrers` counts only downloads that had one. For a podcast hosted elsewhere, `available` is false.',
  responses: keyedResponses('The ranking.', figuresOf(Breakdown)),
  check: checkRangeParameters,
  async answer(ctx, { podcastId, episodeId: ofEpisode, query, checked: range }) {
    const wanted = { podcastId, episodeId: ofEpisode, dimension: query.dimension, range };
    const breakdown = await readBreakdown(ctx, wanted);
    return presentFigures(ctx, presentBreakdown(wanted, breakdown), breakdown);
  },
});
