import Type from 'typebox';
import { changeEpisodes, restoreEpisodes } from '../../../../domain/service/shows/index.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentOutcome } from '../../present-episode.ts';
import { readEarlierStatus } from '../../read-moment.ts';
import { ok } from '../../response.ts';
import { ChangeEpisodes, EpisodeOutcome, RestoreEpisodes } from '../../schemas/episodes.ts';

/** Without If-Match: a user who selects a hundred episodes has not seen all their fields. */
export const episodeBulkRoute = defineEndpoint('POST /app/api/podcasts/:podcastId/episodes/bulk', {
  id: 'changeEpisodes',
  summary: 'Applies one action to several episodes; a refused one does not stop the others',
  body: { json: ChangeEpisodes },
  response: ok(Type.Array(EpisodeOutcome)),
  handle: async ({ ctx }, { params: { podcastId }, body }) =>
    (await changeEpisodes(ctx, podcastId, body)).map(presentOutcome),
});

export const episodeRestoreRoute = defineEndpoint(
  'POST /app/api/podcasts/:podcastId/episodes/restore-status',
  {
    id: 'restoreEpisodes',
    summary: 'Undoes a status change of several episodes',
    body: { json: RestoreEpisodes },
    response: ok(Type.Array(EpisodeOutcome)),
    check: (_http, { body, refuse }) =>
      (body.episodes ?? []).map(({ id, revision, ...before }, index) => ({
        ...{ id, revision },
        ...readEarlierStatus(before, refuse, `episodes.${index}.`),
      })),
    handle: async ({ ctx }, { params: { podcastId }, body: { confirm = [] }, checked }) =>
      (await restoreEpisodes(ctx, podcastId, checked, confirm)).map(presentOutcome),
  },
);
