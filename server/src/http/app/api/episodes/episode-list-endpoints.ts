import Type from 'typebox';
import { listShowEpisodes } from '../../../../domain/publishing/episodes/index.ts';
import { changeEpisodes, restoreEpisodes } from '../../../../domain/service/shows/index.ts';
import { turnOf } from '../../../limits/turn-of.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ok, whole } from '../../response.ts';
import {
  ChangeEpisodes,
  EpisodeList,
  EpisodeOutcome,
  listParameters,
  presentOutcome,
  presentShowEpisode,
  RestoreEpisodes,
} from './episode-shapes.ts';
import { readEarlierStatus } from './episode-status-endpoints.ts';

/** Runs three statements for the first page and two for others, besides that of the session. */
export const episodeListRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/episodes', {
  id: 'listEpisodes',
  summary: 'A page of the episodes of a podcast, of any status',
  query: listParameters,
  response: whole(EpisodeList, 'A page'),
  async handle({ ctx, session }, { http, params: { podcastId }, query, page, reply }) {
    const { items, next, counts } = await listShowEpisodes(
      ctx,
      {
        podcastId,
        search: query.q,
        status: query.status,
        sort: query.sort ?? 'newest',
        after: page.after,
        limit: page.limit,
      },
      turnOf(http, session.userId, reply),
    );
    return {
      data: items.map(presentShowEpisode),
      ...(counts && { counts }),
      pagination: page.next(next),
    };
  },
});

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
