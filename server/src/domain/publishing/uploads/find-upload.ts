import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import type { Upload } from './upload.ts';
import { selectUpload, selectUploadsOfUser } from './uploads.sql.ts';

/** Throws not_found also for an upload of somebody else, and for an expired one. */
export async function getUpload(ctx: Context, uploadId: string): Promise<Upload> {
  const upload = await selectUpload(ctx.db, uploadId, requireUser(ctx));
  if (upload === undefined || upload.expiresAt <= ctx.clock.now()) throw notFound('upload');
  return upload;
}

/** The user's uploads that are not part of a podcast yet. */
export async function listUploads(ctx: Context): Promise<Upload[]> {
  const uploads = await selectUploadsOfUser(ctx.db, requireUser(ctx));
  return uploads.filter(({ expiresAt }) => expiresAt > ctx.clock.now());
}
