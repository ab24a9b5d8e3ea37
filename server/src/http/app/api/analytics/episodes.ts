import Type from 'typebox';
import { listEpisodeAnalytics } from '../../../../domain/audience/analytics/index.ts';
import { AnalyticsMeta, EpisodeAnalytics } from '../../../analytics/figures.ts';
import { presentEpisodeAnalytics, presentFigures } from '../../../analytics/present-figures.ts';
import { checkRangeParameters, rangeParameters } from '../../../analytics/range-parameters.ts';
import { pageParameters } from '../../../requests/parameters.ts';
import { byFigures } from '../../../requests/positions.ts';
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
