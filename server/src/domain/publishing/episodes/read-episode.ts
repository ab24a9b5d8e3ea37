import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { visibilityOf } from '../podcasts/index.ts';
import { asOf, type Episode, isPublished, publicAudio } from './episode.ts';
import { selectEpisodeDetail, selectShowNotes } from './episode-detail.sql.ts';
import { selectEpisode } from './episodes.sql.ts';
import type { MemberEpisodeDetail, ShowNotes } from './member-episode.ts';

export async function getEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = requireFound(await selectEpisode(ctx.db, episodeId), 'episode');
  return asOf(stored, ctx.clock.now());
}

const noMedia: MemberEpisodeDetail['media'] = {
  audio: null,
  artwork: null,
  hasChapters: false,
  transcriptHasTimes: null,
};

/**
 * Reads an episode for its member. Its media are included once it is public and while their
 * addresses respond.
 */
export async function readEpisode(ctx: Context, episodeId: string): Promise<MemberEpisodeDetail> {
  await authorize(ctx, 'episodes.read', { episodeId });
  const now = ctx.clock.now();
  const found = requireFound(await selectEpisodeDetail(ctx.db, episodeId, now), 'episode');
  const { episode, show, mediaName, audio, media } = found;
  const isPublic = isPublished(episode, now) && visibilityOf(show, 'file') === 'open';
  return {
    ...episode,
    media: isPublic ? { ...media, audio: audio && publicAudio(mediaName, audio) } : noMedia,
  };
}

export async function readShowNotes(ctx: Context, episodeId: string): Promise<ShowNotes> {
  await authorize(ctx, 'episodes.read', { episodeId });
  return requireFound(await selectShowNotes(ctx.db, episodeId), 'episode');
}
