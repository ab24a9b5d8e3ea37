import { chunksOf } from '../../../lib/chunks-of.ts';
import { nilId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { requireTrusted } from '../../foundation/principal.ts';
import {
  deleteUnnamedImages,
  keptUnnamedMs,
  lockImageSums,
  lockImagesBefore,
  selectImagesAfter,
} from './images.sql.ts';

export const purgeImagesJob = defineJob({
  name: 'purge-images',
  timeoutSeconds: 1_800,
  run: (ctx, _payload, { signal }) => purgeImages(ctx, signal),
});

const readAtOnce = 1_000;
/** In one transaction. Until its end, nobody can add files to the shows of these pictures. */
const deletedTogether = 100;

/**
 * Deletes the pictures that nothing names, and so takes them from the account's storage (ACCT-26).
 * New ones stay for two days: an import stores a picture before it names it. Files are swept
 * later.
 */
export async function purgeImages(ctx: Context, signal?: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  const before = new Date(ctx.clock.now().getTime() - keptUnnamedMs);
  for (let after: string = nilId; ; ) {
    signal?.throwIfAborted();
    const images = await selectImagesAfter(ctx.db, { after, before, limit: readAtOnce });
    const unnamed = images.flatMap(({ id, isUnnamed }) => (isUnnamed ? id : []));
    for (const ids of chunksOf(unnamed, deletedTogether)) {
      signal?.throwIfAborted();
      await deleteUnnamed(ctx, ids, before);
    }
    const last = images.at(-1);
    if (last === undefined || images.length < readAtOnce) return;
    after = last.id;
  }
}

/** A verb may begin to name one of them at this moment, and its foreign key would lose it again. */
async function deleteUnnamed(ctx: Context, ids: readonly string[], before: Date): Promise<void> {
  await transact(ctx, async ({ db }) => {
    // First, as a verb does that stores one picture and then names another: otherwise each could
    // wait for the other.
    await lockImageSums(db, ids);
    // From now on, nobody can name them. Those that a verb is about to name are locked, and stay.
    const locked = await lockImagesBefore(db, ids, before);
    // A statement of its own, which sees everything that was committed before the locks.
    await deleteUnnamedImages(db, locked);
  });
}
