import { publicAudio, visibilityOf } from '../catalogue/index.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { BackstageEpisodeDetail, ShowNotes } from './episode.ts';
import { selectEpisodeDetail, selectShowNotes } from './episode-detail.sql.ts';
import { isOut } from './episodes.sql.ts';

const noMedia: BackstageEpisodeDetail['media'] = {
  audio: null,
  artwork: null,
  hasChapters: false,
  hasTranscript: false,
};

/** Media is there only once the episode is public, and never in a show that is hidden. */
export async function getBackstageEpisode(
  ctx: Context,
  episodeId: string,
): Promise<BackstageEpisodeDetail> {
  const now = ctx.clock.now();
  const found = await selectEpisodeDetail(ctx.db, episodeId, now);
  if (found === undefined) throw notFound('episode');
  const { episode, show, mediaName, audio, media } = found;
  const isPublic = isOut(episode, now) && visibilityOf(show, 'file') !== 'hidden';
  return {
    ...episode,
    media: isPublic ? { ...media, audio: audio && publicAudio(mediaName, audio) } : noMedia,
  };
}

export async function getShowNotes(ctx: Context, episodeId: string): Promise<ShowNotes> {
  const found = await selectShowNotes(ctx.db, episodeId);
  if (found === undefined) throw notFound('episode');
  return found;
}
