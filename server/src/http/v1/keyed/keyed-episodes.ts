import Type from 'typebox';
import { episodeStatuses } from '../../../domain/foundation/enumerations.ts';
import { listEpisodes, readEpisode } from '../../../domain/publishing/episodes/index.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byListing } from '../../requests/positions.ts';
import { keyedPage, keyedResponses } from '../responses.ts';
import { defineEpisodeRoute, definePodcastRoute } from './keyed-route.ts';
import { KeyedEpisode, KeyedEpisodeListItem } from './keyed-schemas.ts';
import { presentKeyedEpisode, presentListItem } from './present-keyed.ts';

const status = Type.Optional(
  Type.Enum([...episodeStatuses], {
    type: 'string',
    description: 'Only episodes that currently have this status',
    examples: ['draft'],
  }),
);

export const episodesRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/episodes',
  action: 'episodes.read',
  query: Type.Object({ ...pageParameters, status }),
  id: 'listMyEpisodes',
  tag: 'Your episodes',
  summary: "A podcast's episodes, including drafts and scheduled ones, newest first",
  description:
    'By publication time, else scheduled time, else creation time, then `id`, descending. A key whose user lacks `episodes.view_all` sees the episodes that credit this user. Texts and media are only in the response for a single episode.',
  responses: keyedResponses(
    'A page of episodes.',
    keyedPage(KeyedEpisodeListItem, 'Newest first.'),
  ),
  respond: (ctx, { podcastId, query: { status }, page, inTurn }) =>
    page.read(
      byListing,
      (query) => listEpisodes(ctx, { ...query, podcastId, status }, inTurn),
      presentListItem,
    ),
});

export const episodeRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id',
  action: 'episodes.read',
  id: 'getMyEpisode',
  tag: 'Your episodes',
  summary: 'A single episode',
  description:
    'An episode of any status. One that the key cannot access is 404, like an unknown one.',
  responses: keyedResponses('The episode.', Type.Object({ data: KeyedEpisode })),
  async respond(ctx, { episodeId }) {
    const episode = await readEpisode(ctx, episodeId);
    return { data: presentKeyedEpisode(ctx.installation, episode) };
  },
});
