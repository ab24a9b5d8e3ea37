import {
  archiveEpisode,
  publishEpisode,
  restoreStatus,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../../domain/publishing/episodes/index.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentState } from '../../present-episode.ts';
import { readEarlierStatus, readMoment } from '../../read-moment.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import {
  EpisodeState,
  PublishEpisode,
  RestoreStatus,
  ScheduleEpisode,
} from '../../schemas/episodes.ts';

const path = '/app/api/episodes/:episodeId';
const response = revised(EpisodeState);

export const episodeStatusRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}/publish`, {
    id: 'publishEpisode',
    summary: 'Publishes an episode now, or with a past date',
    body: { json: PublishEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('published_at', body.published_at, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: publishedAt }) {
      const options = { ...readExpectation(request), publishedAt, confirmed: body.confirm };
      return presentState(await publishEpisode(ctx, episodeId, options));
    },
  }),
  defineEndpoint(`POST ${path}/schedule`, {
    id: 'scheduleEpisode',
    summary: 'Schedules an episode',
    body: { json: ScheduleEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('scheduled_for', body.scheduled_for, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: at }) {
      const options = { ...readExpectation(request), confirmed: body.confirm };
      // The schema requires the field.
      return presentState(await scheduleEpisode(ctx, episodeId, at as Date, options));
    },
  }),
  defineEndpoint(`POST ${path}/unpublish`, {
    id: 'unpublishEpisode',
    summary: 'Makes an episode a draft',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      presentState(await unpublishEpisode(ctx, episodeId, readExpectation(request))),
  }),
  defineEndpoint(`POST ${path}/archive`, {
    id: 'archiveEpisode',
    summary: 'Archives an episode',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      presentState(await archiveEpisode(ctx, episodeId, readExpectation(request))),
  }),
  defineEndpoint(`POST ${path}/restore-status`, {
    id: 'restoreStatus',
    summary: 'Undoes a status change, with its dates; an episode that was waiting becomes a draft',
    body: { json: RestoreStatus },
    response,
    check: (_http, { body, refuse }) => readEarlierStatus(body, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: before }) {
      const options = { ...readExpectation(request), confirmed: body.confirm };
      return presentState(await restoreStatus(ctx, episodeId, before, options));
    },
  }),
];
