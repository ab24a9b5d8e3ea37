import { listShowEpisodes } from '../../../../domain/publishing/episodes/index.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentShowEpisode } from '../../present-episode.ts';
import { whole } from '../../response.ts';
import { EpisodeList, listParameters } from '../../schemas/episodes.ts';

/** Runs three statements for the first page and two for others, besides that of the session. */
export const episodeListRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/episodes', {
  id: 'listEpisodes',
  summary: 'A page of the episodes of a podcast, of any status',
  query: listParameters,
  response: whole(EpisodeList, 'A page'),
  async handle({ ctx }, { params: { podcastId }, query, page }) {
    const { items, next, counts } = await listShowEpisodes(ctx, {
      podcastId,
      search: query.q,
      status: query.status,
      sort: query.sort ?? 'newest',
      after: page.after,
      limit: page.limit,
    });
    return {
      data: items.map(presentShowEpisode),
      ...(counts && { counts }),
      pagination: page.next(next),
    };
  },
});
