import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { getEpisode } from '../episodes/index.ts';
import { requireCapability } from '../podcasts/index.ts';
import type { Chapter } from './chapter.ts';
import type { Segment, Transcript } from './transcript.ts';
import {
  replaceChapters,
  replaceTranscript,
  selectChapters,
  selectTranscript,
} from './transcripts.sql.ts';

/** Replaces the episode's transcript. It came through `parseTranscript`: no segment holds a token. */
export async function setTranscript(
  ctx: Context,
  episodeId: string,
  transcript: Transcript & { readonly language: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { podcastId } = await getEpisode(tx, episodeId);
    await requireCapability(tx, podcastId, 'episodes.edit');
    await replaceTranscript(tx.db, episodeId, transcript, ctx.clock.now());
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

/** Replaces the episode's chapters. */
export async function setChapters(
  ctx: Context,
  episodeId: string,
  chapters: readonly Chapter[],
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { podcastId } = await getEpisode(tx, episodeId);
    await requireCapability(tx, podcastId, 'episodes.edit');
    await replaceChapters(tx.db, episodeId, chapters, ctx.clock.now());
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

/** The transcript as its makers publish it; undefined where there is none, or none published. */
export async function findPublishedTranscript(
  ctx: Context,
  episodeId: string,
): Promise<{ language: string; segments: readonly Segment[] } | undefined> {
  const found = await selectTranscript(ctx.db, episodeId);
  return found?.publish === true ? found : undefined;
}

export function findChapters(ctx: Context, episodeId: string): Promise<Chapter[] | undefined> {
  return selectChapters(ctx.db, episodeId);
}
