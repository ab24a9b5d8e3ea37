import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isBehindCredential } from '../episodes/index.ts';
import { type AudioRow, selectAudio } from './audio.sql.ts';

/**
 * The audio of an episode for its members, also of drafts and hidden shows. Throws not_found if it
 * is only at an address that carries a credential.
 */
export async function getMemberAudio(ctx: Context, episodeId: string): Promise<AudioRow> {
  await authorize(ctx, 'episodes.read', { episodeId });
  const audio = requireFound(await selectAudio(ctx.db, episodeId), 'audio file');
  const { blobKey, sourceUrl } = audio;
  if (isBehindCredential({ hasCopy: blobKey !== null, sourceUrl })) throw notFound('audio file');
  return audio;
}
