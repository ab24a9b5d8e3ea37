import {
  archiveEpisode,
  type Episode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../../domain/episodes/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { readMoment } from '../../read-moment.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { EpisodeState, PublishEpisode, ScheduleEpisode } from '../../schemas/episodes.ts';
import { closed, ids } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId';
const params = ids('episodeId');
const responses = ok(EpisodeState);
const answerState = (episode: Episode) => answerRevision(wireNames(episode));

const publishRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/publish`,
  params,
  body: { json: PublishEpisode },
  operation: {
    id: 'publishEpisode',
    summary: 'Publishes an episode, not later than now',
    responses,
  },
  check: (_http, { body, refuse }) => readMoment('published_at', body.published_at, refuse),
  async handle(_http, { caller: { ctx }, params: { episodeId }, request, checked: publishedAt }) {
    const options = { ...readExpectation(request), publishedAt };
    return answerState(await publishEpisode(ctx, episodeId, options));
  },
});

const scheduleRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/schedule`,
  params,
  body: { json: ScheduleEpisode },
  operation: { id: 'scheduleEpisode', summary: 'Publishes an episode at a time', responses },
  check: (_http, { body, refuse }) => readMoment('scheduled_for', body.scheduled_for, refuse),
  async handle(_http, { caller: { ctx }, params: { episodeId }, request, checked: at }) {
    const expectation = readExpectation(request);
    // The schema requires the field.
    return answerState(await scheduleEpisode(ctx, episodeId, at as Date, expectation));
  },
});

const unpublishRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/unpublish`,
  params,
  body: { json: closed({}) },
  operation: { id: 'unpublishEpisode', summary: 'Makes an episode a draft', responses },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
    return answerState(await unpublishEpisode(ctx, episodeId, readExpectation(request)));
  },
});

const archiveRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/archive`,
  params,
  body: { json: closed({}) },
  operation: { id: 'archiveEpisode', summary: 'Archives an episode', responses },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
    return answerState(await archiveEpisode(ctx, episodeId, readExpectation(request)));
  },
});

export const episodeStatusRoutes: readonly Route[] = [
  publishRoute,
  scheduleRoute,
  unpublishRoute,
  archiveRoute,
];
