import type { Context } from '../../foundation/context.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import { notFound } from '../../foundation/errors.ts';
import {
  allows,
  audioDecidesFeed,
  authorize,
  type MemberRole,
  roleOf,
} from '../../foundation/permissions/index.ts';
import { type FieldChange, listLastChanges } from '../../foundation/revisions/index.ts';
import { type ElementsOf, readElements } from '../podcasts/index.ts';
import {
  asOf,
  type Confirmation,
  confirmationsFor,
  type Episode,
  publicAudio,
  statusesAfter,
} from './episode.ts';
import { type EpisodeParts, selectEpisodeParts } from './episode-detail.sql.ts';
import { selectEpisode } from './episodes.sql.ts';

/**
 * Reads an episode for the screen on which it is edited. The revision is read first: what changes
 * during the read is newer than it says, so that a write meets a conflict and is not lost.
 */
export async function readEpisodeDraft(ctx: Context, episodeId: string): Promise<EpisodeDraft> {
  const { membership } = await authorize(ctx, 'episodes.read', { episodeId });
  const stored = await selectEpisode(ctx.db, episodeId);
  const parts = await selectEpisodeParts(ctx.db, episodeId);
  if (stored === undefined || parts === undefined) throw notFound('episode');
  const { artworkId, extraElements, mediaName, ...episode } = asOf(stored, ctx.clock.now());
  const may = rightsOf(roleOf(membership), episode, parts.audio !== null);
  return {
    ...episode,
    elements: readElements('episode', extraElements),
    podcastSlug: parts.podcastSlug,
    podcastDomain: parts.podcastDomain,
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

/** An episode with all that its members edit, at the moment of reading. */
export interface EpisodeDraft extends Omit<Episode, 'artworkId' | 'extraElements' | 'mediaName'> {
  /** The feed elements that members edit, by name. */
  readonly elements: ElementsOf;
  readonly podcastSlug: string;
  /** Its own domain, if that is verified. */
  readonly podcastDomain: string | null;
  readonly updatedAt: Date;
  readonly artwork: { readonly id: string } | null;
  readonly audio: DraftAudio | null;
  /** `pending`: it will be drawn; null: there is no audio that can be drawn. */
  readonly waveform: DraftWaveform | 'pending' | null;
  /** Null also if the member may not read it. */
  readonly transcript: { readonly language: string; readonly segmentCount: number } | null;
  /** Also for members who may not read it. */
  readonly hasTranscript: boolean;
  readonly chapterCount: number;
  readonly may: DraftRights;
  /** What the member may do with its status, and what publishing or scheduling must confirm. */
  readonly mayBecome: readonly EpisodeStatus[];
  readonly toConfirm: readonly Confirmation[];
}

interface DraftAudio {
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
  readonly sha256: string | null;
  /** True if it is only at another address. */
  readonly isExternal: boolean;
  /** Of its public address; null if that would reveal a credential. */
  readonly fileName: string | null;
}

interface DraftWaveform {
  readonly durationMs: number;
  readonly peaks: Uint8Array;
}

/** What the member may do with the episode. */
export interface DraftRights {
  readonly edit: boolean;
  /** Add audio, or a new recording in the place of the old one. */
  readonly setAudio: boolean;
  readonly removeAudio: boolean;
  readonly publish: boolean;
  readonly delete: boolean;
  readonly people: boolean;
  /** Edit the transcript and who reads it. */
  readonly transcript: boolean;
  readonly readTranscript: boolean;
}
