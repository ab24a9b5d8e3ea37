import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import {
  allows,
  audioDecidesFeed,
  authorize,
  type MemberRole,
  roleOf,
} from '../../foundation/permissions/index.ts';
import { type FieldChange, listLastChanges } from '../../foundation/revisions/index.ts';
import { asOf, confirmationsFor, type Episode, statusesAfter } from './episode.ts';
import { type EpisodeParts, selectEpisodeParts } from './episode-draft.sql.ts';
import type { DraftAudio, DraftRights, DraftWaveform, EpisodeDraft } from './episode-draft.ts';
import { selectEpisode } from './episodes.sql.ts';
import { publicAudio } from './public-audio.ts';

/**
 * Reads an episode for the screen on which it is edited. The revision is read first: what changes
 * during the read is newer than it says, so that a write meets a conflict and is not lost.
 */
export async function readEpisodeDraft(ctx: Context, episodeId: string): Promise<EpisodeDraft> {
  const { membership } = await authorize(ctx, 'episodes.read', { episodeId });
  const stored = await selectEpisode(ctx.db, episodeId);
  const parts = await selectEpisodeParts(ctx.db, episodeId);
  if (stored === undefined || parts === undefined) throw notFound('episode');
  const { artworkId, extraElements: _, mediaName, ...episode } = asOf(stored, ctx.clock.now());
  const may = rightsOf(roleOf(membership), episode, parts.audio !== null);
  return {
    ...episode,
    podcastSlug: parts.podcastSlug,
    updatedAt: parts.updatedAt,
    artwork: artworkId === null ? null : { id: artworkId },
    audio: toAudio(mediaName, parts),
    waveform: toWaveform(parts),
    transcript: may.readTranscript ? parts.transcript : null,
    hasTranscript: parts.transcript !== null,
    chapterCount: parts.chapterCount,
    may,
    mayBecome: may.publish ? statusesAfter(episode.status) : [],
    toConfirm: confirmationsFor({ hasAudio: parts.audio !== null }),
  };
}

export interface MemberChange extends Pick<FieldChange, 'field' | 'by' | 'at'> {
  /** The reader's own change, in another window. */
  readonly byYou: boolean;
}

/** Who changed each field last. */
export async function listEpisodeChanges(ctx: Context, episodeId: string): Promise<MemberChange[]> {
  const { principal } = ctx;
  await authorize(ctx, 'episodes.read', { episodeId });
  const changes = await listLastChanges(ctx, { episodeId });
  return changes.map(({ userId, ...change }) => ({
    ...change,
    byYou: principal.kind === 'user' && principal.userId === userId,
  }));
}

function rightsOf(
  role: MemberRole,
  { shareTranscriptWithCohosts, status }: Pick<Episode, 'shareTranscriptWithCohosts' | 'status'>,
  hasAudio: boolean,
): DraftRights {
  const [edit, publish] = [allows(role, 'episode.edit'), allows(role, 'episode.publish')];
  return {
    edit,
    setAudio: edit && (hasAudio || publish || !audioDecidesFeed('add', status)),
    removeAudio: edit && hasAudio && (publish || !audioDecidesFeed('remove', status)),
    publish,
    delete: allows(role, 'episode.delete'),
    people: allows(role, 'people.edit'),
    transcript: allows(role, 'transcript.edit'),
    readTranscript: allows(role, 'transcript.read', {
      sharesTranscript: shareTranscriptWithCohosts,
    }),
  };
}

function toAudio(mediaName: string, { audio }: EpisodeParts): DraftAudio | null {
  if (audio === null) return null;
  const { sha256, sourceUrl } = audio;
  return { ...publicAudio(mediaName, audio), sha256, isExternal: sourceUrl !== null };
}

function toWaveform(parts: EpisodeParts): DraftWaveform | 'pending' | null {
  const { peaks, peaksDurationMs, isBeingDrawn } = parts;
  if (peaks !== null && peaksDurationMs !== null) return { peaks, durationMs: peaksDurationMs };
  return isBeingDrawn ? 'pending' : null;
}
