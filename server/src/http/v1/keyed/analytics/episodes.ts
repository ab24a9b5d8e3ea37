import Type from 'typebox';
import { listEpisodeAnalytics } from '../../../../domain/audience/analytics/index.ts';
import { AnalyticsMeta, EpisodeAnalytics } from '../../../analytics/figures.ts';
import { presentEpisodeAnalytics, presentFigures } from '../../../analytics/present-figures.ts';
import { checkRangeParameters, rangeParameters } from '../../../analytics/range-parameters.ts';
import { pageParameters } from '../../../requests/parameters.ts';
import { byFigures } from '../../../requests/positions.ts';
import { Pagination } from '../../schemas.ts';
import { definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';

export const episodeAnalyticsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/episodes',
  action: 'analytics.read',
  query: Type.Object({ ...rangeParameters, ...pageParameters }),
  id: 'listMyEpisodeAnalytics',
  tag: 'Your analytics',
  summary: "Downloads of each of a podcast's episodes",
  description:
    'Every published episode, and others that have downloads, newest publication first; those that were never published come last. `downloads` are those in the range, which the plan limits to its history. The other figures are not limited.',
  responses: keyedResponses(
    'A page of episodes.',
    Type.Object({
      data: Type.Array(EpisodeAnalytics, {
        description: 'Newest publication first; never published ones last.',
      }),
      meta: AnalyticsMeta,
      pagination: Pagination,
    }),
  ),
  check: checkRangeParameters,
  async answer(ctx, { podcastId, page, checked: range }) {
    const { items, pagination, ...facts } = await page.find(byFigures, (query) =>
      listEpisodeAnalytics(ctx, { ...query, podcastId, range }),
    );
    return { ...presentFigures(ctx, items.map(presentEpisodeAnalytics), facts), pagination };
  },
});
