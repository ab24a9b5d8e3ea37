import Type from 'typebox';
import { listEpisodeAnalytics } from '../../../../domain/analytics/index.ts';
import { defineRoute } from '../../../route.ts';
import { checkRangeParameters, rangeParameters } from '../../../v1/keyed/analytics/parameters.ts';
import { presentEpisodeAnalytics } from '../../../v1/keyed/analytics/present.ts';
import { AnalyticsMeta, EpisodeAnalytics } from '../../../v1/keyed/analytics/schemas.ts';
import { readPosition, writePosition } from '../../../v1/keyed/episode-position.ts';
import { openPage } from '../../../v1/page-request.ts';
import { cursor, pageSize } from '../../../v1/parameters.ts';
import { forSignedIn } from '../../requester.ts';
import { ids } from '../../schemas/fields.ts';
import { Pagination } from '../../schemas/podcasts.ts';
import { answerFigures } from './answer-figures.ts';

const path = '/app/api/podcasts/:podcastId/analytics/episodes';
const parameters = Type.Object({ ...rangeParameters, limit: pageSize(100), cursor });

export const episodesRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params: ids('podcastId'),
  query: parameters,
  operation: {
    id: 'listEpisodeAnalytics',
    summary: "Downloads of each of a podcast's episodes, newest publication first",
    responses: {
      200: {
        description: 'A page',
        schema: Type.Object({
          data: Type.Array(EpisodeAnalytics),
          meta: AnalyticsMeta,
          pagination: Pagination,
        }),
      },
    },
  },
  check: (http, input) => ({
    page: openPage(http, { path, parameters, of: input.params.podcastId ?? '' }, input),
    range: checkRangeParameters(http, input),
  }),
  async handle(http, { caller: { ctx }, params: { podcastId }, checked: { page, range } }) {
    const after = page.after && readPosition(page.after);
    const query = { podcastId, range, after, limit: page.limit };
    const { items, next, ...facts } = await listEpisodeAnalytics(ctx, query);
    const pagination = page.next(next && writePosition(next));
    return answerFigures(http, items.map(presentEpisodeAnalytics), facts, { pagination });
  },
});
