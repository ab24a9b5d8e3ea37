import {
  activatePodcast,
  endMove,
  movePodcast,
  pausePodcast,
} from '../../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { readExpectation } from '../../revision.ts';
import { closed, ids } from '../../schemas/fields.ts';
import { MoveShow, ShowSettings } from '../../schemas/shows.ts';
import { answerShow } from './answer-show.ts';

const path = '/app/api/podcasts/:podcastId';
const shared = { ...forSignedIn, method: 'POST', params: ids('podcastId') } as const;
const responses = ok(ShowSettings);

const pauseRoute = defineRoute({
  ...shared,
  path: `${path}/pause`,
  body: { json: closed({}) },
  operation: {
    id: 'pausePodcast',
    summary: 'Takes a show off the public pages; its feed stays as it is now',
    responses,
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, request }) {
    await pausePodcast(ctx, podcastId, readExpectation(request));
    return answerShow(ctx, podcastId);
  },
});

const resumeRoute = defineRoute({
  ...shared,
  path: `${path}/resume`,
  body: { json: closed({}) },
  operation: {
    id: 'resumePodcast',
    summary: 'Brings a draft or a paused show before the public',
    responses,
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, request }) {
    await activatePodcast(ctx, podcastId, readExpectation(request));
    return answerShow(ctx, podcastId);
  },
});

const moveRoute = defineRoute({
  ...shared,
  path: `${path}/move`,
  body: { json: MoveShow },
  operation: {
    id: 'movePodcast',
    summary: 'Leads all subscribers to a feed elsewhere; again, to correct its address',
    responses,
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, body, request }) {
    const { new_feed_url: newFeedUrl } = body;
    await movePodcast(ctx, podcastId, { newFeedUrl, ...readExpectation(request) });
    return answerShow(ctx, podcastId);
  },
});

const stayRoute = defineRoute({
  ...shared,
  path: `${path}/stay`,
  body: { json: closed({}) },
  operation: {
    id: 'endPodcastMove',
    summary: 'Ends a move: the feed is here again',
    responses,
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, request }) {
    await endMove(ctx, podcastId, readExpectation(request));
    return answerShow(ctx, podcastId);
  },
});

export const statusRoutes: readonly Route[] = [pauseRoute, resumeRoute, moveRoute, stayRoute];
