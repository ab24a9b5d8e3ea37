import type { Context } from '../../../foundation/context.ts';
import type { Waveform } from './waveform.ts';
import { selectWaveform } from './waveforms.sql.ts';

/** The waveform of the episode's audio; undefined if it is not drawn, or cannot be. */
export function findWaveform(ctx: Context, episodeId: string): Promise<Waveform | undefined> {
  return selectWaveform(ctx.db, episodeId);
}
