import {
  archiveEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../../domain/episodes/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { readMoment } from '../../read-moment.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { EpisodeState, PublishEpisode, ScheduleEpisode } from '../../schemas/episodes.ts';

const path = '/app/api/episodes/:episodeId';
const response = revised(EpisodeState);

export const episodeStatusRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}/publish`, {
    id: 'publishEpisode',
    summary: 'Publishes an episode now, or with a past date',
    body: { json: PublishEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('published_at', body.published_at, refuse),
    async handle({ ctx }, { params: { episodeId }, request, checked: publishedAt }) {
      const options = { ...readExpectation(request), publishedAt };
      return wireNames(await publishEpisode(ctx, episodeId, options));
    },
  }),
  defineEndpoint(`POST ${path}/schedule`, {
    id: 'scheduleEpisode',
    summary: 'Publishes an episode at a time',
    body: { json: ScheduleEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('scheduled_for', body.scheduled_for, refuse),
    async handle({ ctx }, { params: { episodeId }, request, checked: at }) {
      const expectation = readExpectation(request);
      // The schema requires the field.
      return wireNames(await scheduleEpisode(ctx, episodeId, at as Date, expectation));
    },
  }),
  defineEndpoint(`POST ${path}/unpublish`, {
    id: 'unpublishEpisode',
    summary: 'Makes an episode a draft',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      wireNames(await unpublishEpisode(ctx, episodeId, readExpectation(request))),
  }),
  defineEndpoint(`POST ${path}/archive`, {
    id: 'archiveEpisode',
    summary: 'Archives an episode',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      wireNames(await archiveEpisode(ctx, episodeId, readExpectation(request))),
  }),
];
