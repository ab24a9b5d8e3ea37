import Type from 'typebox';
import { dimensions, readBreakdown } from '../../../../domain/analytics/index.ts';
import { defineRoute } from '../../../route.ts';
import { checkRangeParameters, rangeParameters } from '../../../v1/keyed/analytics/parameters.ts';
import { presentBreakdown } from '../../../v1/keyed/analytics/present.ts';
import { Breakdown } from '../../../v1/keyed/analytics/schemas.ts';
import { forSignedIn } from '../../requester.ts';
import { id, ids } from '../../schemas/fields.ts';
import { answerFigures, figures } from './answer-figures.ts';

const dimension = Type.Optional(
  Type.Enum([...dimensions], {
    type: 'string',
    default: 'apps',
    description: 'By what downloads are told apart; `devices` needs advanced analytics.',
  }),
);

export const breakdownRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/podcasts/:podcastId/analytics/breakdown',
  params: ids('podcastId'),
  query: Type.Object({ dimension, ...rangeParameters, episode_id: Type.Optional(id) }),
  operation: {
    id: 'getBreakdown',
    summary: 'Downloads of a podcast, or of one episode of it, by one dimension',
    responses: figures(Breakdown),
  },
  check: checkRangeParameters,
  async handle(http, { caller: { ctx }, params: { podcastId }, query, checked: range }) {
    const { dimension = 'apps', episode_id: episodeId } = query;
    const wanted = { podcastId, episodeId, dimension, range };
    const breakdown = await readBreakdown(ctx, wanted);
    return answerFigures(http, presentBreakdown(wanted, breakdown), breakdown);
  },
});
