import type { Context } from '../context.ts';
import { isBehindCredential } from '../episodes/index.ts';
import { DomainError, notFound, requireFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { type AudioRow, type MemberImageRow, selectAudio, selectMemberImage } from './media.sql.ts';

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

/** A picture of a podcast for its members, also of drafts and hidden shows. */
export async function getMemberImage(ctx: Context, imageId: string): Promise<MemberImageRow> {
  const image = requireFound(await selectMemberImage(ctx.db, imageId), 'image');
  await authorize(ctx, 'podcast.read', image).catch((error: unknown) => {
    throw error instanceof DomainError ? notFound('image') : error;
  });
  return image;
}
