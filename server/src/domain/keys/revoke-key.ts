import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { changeKey, changeKeys, getKey, mayManageKeysOf } from './change-keys.ts';
import { lockKeysOfUser, revokeKeys } from './keys.sql.ts';

/** Ends a key for good, under all its secrets, with the next request. Ended ones stay so. */
export async function revokeKey(ctx: Context, keyId: string): Promise<void> {
  const owned = await getKey(ctx, keyId);
  await changeKey(ctx, owned, undefined, async (tx, key) => {
    await revokeKeys(tx.db, [key.id], ctx.clock.now());
  });
}

/** Ends every key of a user, those of connected sites too, and tells how many that were. */
export async function revokeAllKeys(ctx: Context, userId: string): Promise<number> {
  if (!mayManageKeysOf(ctx, userId)) throw notFound('user');
  return changeKeys(ctx, userId, undefined, async (tx) =>
    revokeKeys(tx.db, await lockKeysOfUser(tx.db, userId), ctx.clock.now()),
  );
}
