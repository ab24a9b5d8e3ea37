import type { Context } from '../../foundation/context.ts';
import { removeHeld } from './append-to-upload.ts';
import { getUpload } from './find-upload.ts';
import { claimWriter } from './writer.ts';

/** Cancels an upload and removes its bytes. A request that is still sending bytes is ended. */
export async function removeUpload(ctx: Context, uploadId: string): Promise<void> {
  await getUpload(ctx, uploadId);
  await using writing = await claimWriter(ctx, uploadId);
  await removeHeld(ctx, writing.upload);
}
