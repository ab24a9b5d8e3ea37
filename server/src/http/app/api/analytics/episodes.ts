import Type from 'typebox';
import { listEpisodeAnalytics } from '../../../../domain/audience/analytics/index.ts';
import { checkRangeParameters, rangeParameters } from '../../../v1/keyed/analytics/parameters.ts';
import { presentEpisodeAnalytics, presentFigures } from '../../../v1/keyed/analytics/present.ts';
import { AnalyticsMeta, EpisodeAnalytics } from '../../../v1/keyed/analytics/schemas.ts';
import { pageParameters } from '../../../v1/parameters.ts';
import { byFigures } from '../../../v1/positions.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { whole } from '../../response.ts';
import { Pagination } from '../../schemas/podcasts.ts';

const EpisodePage = Type.Object({
  data: Type.Array(EpisodeAnalytics),
  meta: AnalyticsMeta,
  pagination: Pagination,
});

export const episodesRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/episodes', {
  id: 'listEpisodeAnalytics',
  summary: "Downloads of each of a podcast's episodes, newest publication first",
  query: Type.Object({ ...rangeParameters, ...pageParameters }),
  response: whole(EpisodePage, 'A page'),
  check: checkRangeParameters,
  async handle({ ctx }, { params: { podcastId }, page, checked: range }) {
    const { items, pagination, ...facts } = await page.find(byFigures, (query) =>
      listEpisodeAnalytics(ctx, { ...query, podcastId, range }),
    );
    return { ...presentFigures(ctx, items.map(presentEpisodeAnalytics), facts), pagination };
  },
});
