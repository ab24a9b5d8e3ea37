import type { Context } from '../../foundation/context.ts';
import { DomainError, notFound, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type MemberImageRow, selectMemberImage } from './images.sql.ts';

/** A picture of a podcast for its members, also of drafts and hidden shows. */
export async function getMemberImage(ctx: Context, imageId: string): Promise<MemberImageRow> {
  const image = requireFound(await selectMemberImage(ctx.db, imageId), 'image');
  await authorize(ctx, 'podcast.read', image).catch((error: unknown) => {
    throw error instanceof DomainError ? notFound('image') : error;
  });
  return image;
}
