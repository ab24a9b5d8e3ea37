import { listShowEpisodes } from '../../../../domain/episodes/index.ts';
import { sessionCaching } from '../../../payload.ts';
import { defineRoute } from '../../../route.ts';
import { openPage } from '../../../v1/page-request.ts';
import { presentShowEpisode } from '../../present-episode.ts';
import { forSignedIn } from '../../requester.ts';
import { EpisodeList, listParameters } from '../../schemas/episodes.ts';
import { ids } from '../../schemas/fields.ts';

const path = '/app/api/podcasts/:podcastId/episodes';

/** Three statements beside that of the session on the first page, two on every other. */
export const episodeListRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params: ids('podcastId'),
  query: listParameters,
  operation: {
    id: 'listEpisodes',
    summary: 'A page of the episodes of a podcast, whatever their status',
    responses: { 200: { description: 'A page', schema: EpisodeList } },
  },
  check: (http, input) =>
    openPage(http, { path, parameters: listParameters, of: input.params.podcastId ?? '' }, input),
  async handle(_http, { caller: { ctx }, params: { podcastId }, query, checked: page }) {
    const { items, next, counts } = await listShowEpisodes(ctx, {
      podcastId,
      search: query.q,
      status: query.status,
      sort: query.sort ?? 'newest',
      after: page.after,
      limit: page.limit,
    });
    const body = {
      data: items.map(presentShowEpisode),
      ...(counts && { counts }),
      pagination: page.next(next),
    };
    return { kind: 'json', body, caching: sessionCaching };
  },
});
