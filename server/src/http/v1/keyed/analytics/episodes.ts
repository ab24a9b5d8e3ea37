import Type from 'typebox';
import { listEpisodeAnalytics } from '../../../../domain/analytics/index.ts';
import { cursor, pageSize } from '../../parameters.ts';
import { Pagination } from '../../schemas.ts';
import { readPosition, writePosition } from '../episode-position.ts';
import { definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';
import { checkRangeParameters, rangeParameters } from './parameters.ts';
import { presentEpisodeAnalytics, presentMeta } from './present.ts';
import { AnalyticsMeta, EpisodeAnalytics } from './schemas.ts';

export const episodeAnalyticsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/episodes',
  action: 'analytics.read',
  query: Type.Object({ ...rangeParameters, limit: pageSize(100), cursor }),
  operation: {
    id: 'listMyEpisodeAnalytics',
    tag: 'Your analytics',
    summary: "Downloads of each of a podcast's episodes",
    description:
      'Every published episode, and others that have downloads, newest publication first. `downloads` is of the range, which the history of the plan limits; the other figures are not limited.',
    responses: keyedResponses(
      'A page of episodes.',
      Type.Object({
        data: Type.Array(EpisodeAnalytics, { description: 'Newest publication first.' }),
        meta: AnalyticsMeta,
        pagination: Pagination,
      }),
    ),
  },
  check: checkRangeParameters,
  async answer(ctx, { podcastId, page, checked: range }) {
    const { items, next, ...facts } = await listEpisodeAnalytics(ctx, {
      podcastId,
      range,
      after: page.after && readPosition(page.after),
      limit: page.limit,
    });
    return {
      data: items.map(presentEpisodeAnalytics),
      meta: presentMeta(ctx.installation, facts),
      pagination: page.next(next && writePosition(next)),
    };
  },
});
