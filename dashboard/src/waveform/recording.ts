import type { components } from '../api/schema.d.ts';
import type { Peaks } from './draw-waveform.ts';

/** The data of an episode that the editors need. */
export interface Recording {
  readonly episodeId: string;
  /** Null: there is no audio. */
  readonly audioUrl: string | null;
  readonly duration: number;
  readonly peaks: Peaks | null;
  /** Whether there is a file of ours, with tags of its own. */
  readonly hasFile: boolean;
}

export function recordingOf(episode: components['schemas']['EpisodeDraft']): Recording {
  const { id, audio, waveform } = episode;
  const drawn = typeof waveform === 'object' ? waveform : null;
  return {
    episodeId: id,
    audioUrl: audio?.file_url ?? null,
    duration: drawn?.duration_seconds ?? audio?.duration_seconds ?? 0,
    peaks: drawn?.peaks ?? null,
    hasFile: audio !== null && !audio.is_external,
  };
}
