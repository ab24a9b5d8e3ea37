import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { Confirmation, Episode } from './episode.ts';

/** An episode with all that its members edit, at the moment of reading. */
export interface EpisodeDraft extends Omit<Episode, 'artworkId' | 'extraElements' | 'mediaName'> {
  readonly podcastSlug: string;
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

export interface DraftAudio {
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
  readonly sha256: string | null;
  /** True if it is only at another address. */
  readonly isExternal: boolean;
  /** Of its public address; null if that would reveal a credential. */
  readonly fileName: string | null;
}

export interface DraftWaveform {
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
