import Type from 'typebox';
import { readBreakdown } from '../../../../domain/audience/analytics/index.ts';
import { dimensions } from '../../../../domain/audience/downloads/index.ts';
import { Breakdown, figuresOf } from '../../../analytics/figures.ts';
import { presentBreakdown, presentFigures } from '../../../analytics/present-figures.ts';
import { checkRangeParameters, rangeParameters } from '../../../analytics/range-parameters.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { whole } from '../../response.ts';
import { id } from '../../schemas/fields.ts';

const dimension = Type.Optional(
  Type.Enum([...dimensions], {
    type: 'string',
    default: 'apps',
    description: 'How downloads are grouped; `devices` needs advanced analytics.',
  }),
);

export const breakdownRoute = defineEndpoint(
  'GET /app/api/podcasts/:podcastId/analytics/breakdown',
  {
    id: 'getBreakdown',
    summary: 'Downloads of a podcast, or of one episode of it, by one dimension',
    query: Type.Object({ dimension, ...rangeParameters, episode_id: Type.Optional(id) }),
    response: whole(figuresOf(Breakdown)),
    check: checkRangeParameters,
    async handle({ ctx }, { params, query, checked: range }) {
      const { dimension = 'apps', episode_id: episodeId } = query;
      const wanted = { ...params, episodeId, dimension, range };
      const breakdown = await readBreakdown(ctx, wanted);
      return presentFigures(ctx, presentBreakdown(wanted, breakdown), breakdown);
    },
  },
);
