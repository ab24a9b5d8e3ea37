import {
  activatePodcast,
  endMove,
  movePodcast,
  pausePodcast,
} from '../../../../domain/publishing/podcasts/index.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { MoveShow, ShowSettings } from '../../schemas/shows.ts';
import { readShow } from './settings.ts';

const path = '/app/api/podcasts/:podcastId';
const response = revised(ShowSettings);

export const statusRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}/pause`, {
    id: 'pausePodcast',
    summary: 'Takes a show off the public pages; its feed stays as it is',
    response,
    async handle({ ctx }, { params: { podcastId }, request }) {
      await pausePodcast(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/resume`, {
    id: 'resumePodcast',
    summary: 'Makes a draft or a paused show public',
    response,
    async handle({ ctx }, { params: { podcastId }, request }) {
      await activatePodcast(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/move`, {
    id: 'movePodcast',
    summary: 'Redirects all subscribers to a feed elsewhere; repeat it to correct the URL',
    body: { json: MoveShow },
    response,
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      const { new_feed_url: newFeedUrl } = body;
      await movePodcast(ctx, podcastId, { newFeedUrl, ...readExpectation(request) });
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/stay`, {
    id: 'endPodcastMove',
    summary: 'Ends a move: the feed is here again',
    response,
    async handle({ ctx }, { params: { podcastId }, request }) {
      await endMove(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
];
