import Type from 'typebox';
import {
  type EpisodeListPosition,
  getBackstageEpisode,
  listBackstageEpisodes,
} from '../../../domain/backstage/index.ts';
import { episodeStatuses } from '../../../domain/episodes/index.ts';
import type { GrantedAccess } from '../../../domain/keys/index.ts';
import { capabilitiesOf } from '../../../domain/podcasts/index.ts';
import type { CursorPosition } from '../../../lib/cursor.ts';
import { cursor, pageSize } from '../parameters.ts';
import { defineEpisodeRoute, definePodcastRoute } from './keyed-route.ts';
import { presentKeyedEpisode, presentListItem } from './present.ts';
import { keyedPage, keyedResponses } from './responses.ts';
import { KeyedEpisode, KeyedEpisodeListItem } from './schemas.ts';

const status = Type.Optional(
  Type.Enum([...episodeStatuses], {
    type: 'string',
    description: 'Only episodes that have this status now',
    examples: ['draft'],
  }),
);

export const episodesRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/episodes',
  scope: 'episodes:read',
  need: {},
  query: Type.Object({ limit: pageSize(100), cursor, status }),
  operation: {
    id: 'listMyEpisodes',
    tag: 'Your episodes',
    summary: "A podcast's episodes, drafts and scheduled ones too, newest first",
    description:
      'By publication time, else scheduled time, else creation time, then `id`, descending. A key whose user lacks `episodes.view_all` sees the episodes that credit this user. Texts and media stand on the single episode.',
    responses: keyedResponses(
      'A page of episodes.',
      keyedPage(KeyedEpisodeListItem, 'Newest first.'),
    ),
  },
  async read(web, { caller, access, podcastId, query, page }) {
    const { items, next } = await listBackstageEpisodes(web.ctx, {
      podcastId,
      creditedUserId: seesAll(access) ? undefined : caller.userId,
      status: query.status,
      after: page.after && toPosition(page.after),
      limit: page.limit,
    });
    return { data: items.map(presentListItem), pagination: page.next(next && fromPosition(next)) };
  },
});

function seesAll({ membership }: GrantedAccess): boolean {
  return capabilitiesOf(membership).includes('episodes.view_all');
}

function fromPosition({ listedAt, id, changedBy }: EpisodeListPosition): CursorPosition {
  return [listedAt.toISOString(), id, changedBy.toISOString()];
}

function toPosition([listedAt, id, changedBy]: CursorPosition): EpisodeListPosition {
  return {
    listedAt: new Date(listedAt ?? ''),
    id: String(id),
    changedBy: new Date(changedBy ?? ''),
  };
}

export const episodeRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id',
  scope: 'episodes:read',
  need: {},
  operation: {
    id: 'getMyEpisode',
    tag: 'Your episodes',
    summary: 'An episode, whole',
    description:
      'Whatever its status. One that the key does not see is the same as one that does not exist.',
    responses: keyedResponses('The episode.', Type.Object({ data: KeyedEpisode })),
  },
  async read(web, { episodeId }) {
    const episode = await getBackstageEpisode(web.ctx, episodeId);
    return { data: presentKeyedEpisode(web.ctx.installation, episode) };
  },
});
