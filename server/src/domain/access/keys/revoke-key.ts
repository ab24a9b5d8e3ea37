import type { Context } from '../../foundation/context.ts';
import { requireSelf } from '../../foundation/principal.ts';
import { changeKey, changeKeys, getKey } from './change-keys.ts';
import { lockKeysOfUser, revokeKeys } from './keys.sql.ts';

/**
 * Revokes a key and all its secrets, permanently, from the next request on. No effect on a revoked
 * key.
 */
export async function revokeKey(ctx: Context, keyId: string): Promise<void> {
  const owned = await getKey(ctx, keyId);
  await changeKey(ctx, owned, undefined, async (tx, key) => {
    await revokeKeys(tx.db, [key.id], ctx.clock.now());
  });
}

/**
 * Revokes all keys of a user, including those of connected sites, and returns how many it revoked.
 */
export async function revokeAllKeys(ctx: Context, userId: string): Promise<number> {
  requireSelf(ctx, userId);
  return changeKeys(ctx, userId, undefined, async (tx) =>
    revokeKeys(tx.db, await lockKeysOfUser(tx.db, userId), ctx.clock.now()),
  );
}
