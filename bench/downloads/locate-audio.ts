import type { Context } from '../../server/src/domain/foundation/context.ts';
import { findAudio } from '../../server/src/domain/publishing/audio/index.ts';
import type { AudioBytes } from './ranges.ts';

/** Throws without audio of a constant bit rate. */
export async function locateAudio(ctx: Context, episodeId: string): Promise<AudioBytes> {
  const audio = await findAudio(ctx, episodeId);
  if (audio?.bitrateBps == null) throw new Error('there is no audio');
  return {
    leadingTagBytes: audio.leadingTagBytes ?? 0,
    minuteBytes: Math.ceil((audio.bitrateBps * 60) / 8),
  };
}
