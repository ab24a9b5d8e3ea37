import {
  type EpisodeListPosition,
  listEpisodes,
  type MemberEpisode,
} from '../domain/publishing/episodes/index.ts';
import type { EpisodeRuns } from './episode-commands.ts';
import { getPodcastByRef } from './option-values.ts';
import { printList } from './print-list.ts';

export const list: EpisodeRuns['list'] = async ({ ctx }, { podcast, status }, io) => {
  const { id: podcastId } = await getPodcastByRef(ctx, podcast);
  const only = { podcastId, status, creditedUserId: undefined };
  await printList<MemberEpisode, EpisodeListPosition>(
    io,
    'episodes',
    (query) => listEpisodes(ctx, { ...only, ...query }),
    present,
  );
};

function present(episode: MemberEpisode) {
  return {
    id: episode.id,
    slug: episode.slug,
    title: episode.title,
    status: episode.status,
    season: episode.season,
    episode: episode.episodeNumber,
    type: episode.episodeType,
    published_at: episode.publishedAt,
    scheduled_for: episode.scheduledFor,
    created_at: episode.createdAt,
    duration_seconds: episode.durationMs === null ? null : episode.durationMs / 1000,
  };
}
