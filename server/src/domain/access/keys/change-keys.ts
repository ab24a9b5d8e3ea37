import {
  lockProvenUser,
  lockUser,
  type PasswordProof,
  proveCurrentPassword,
  type User,
} from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound } from '../../foundation/errors.ts';
import { isTrusted, mayActFor } from '../../foundation/principal.ts';
import type { Key } from './key.ts';
import { insertNamedPodcasts, lockKey, selectKey } from './keys.sql.ts';

/** Giving a key more requires the user's password, unless the operator acts. */
export interface WithPassword {
  readonly currentPassword?: string | undefined;
}

/**
 * Checks the password before the transaction, because hashing is slow. Undefined for the operator.
 */
export async function proveForKeys(
  ctx: Context,
  userId: string,
  { currentPassword = '' }: WithPassword,
): Promise<PasswordProof | undefined> {
  if (isTrusted(ctx)) return undefined;
  return proveCurrentPassword(ctx, userId, currentPassword);
}

/**
 * Does `work` in a transaction that locks the user, so that changes to one user's keys and password
 * queue here. Throws if the password changed after `proof` was made.
 */
export function changeKeys<T>(
  ctx: Context,
  userId: string,
  proof: PasswordProof | undefined,
  work: (tx: Context, user: User) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    const user = proof === undefined ? await lockUser(tx, userId) : await lockProvenUser(tx, proof);
    return work(tx, user);
  });
}

/** Like `changeKeys`, for one key, read after it is locked. */
export function changeKey<T>(
  ctx: Context,
  { id, userId }: Pick<Key, 'id' | 'userId'>,
  proof: PasswordProof | undefined,
  work: (tx: Context, key: Key, user: User) => Promise<T>,
): Promise<T> {
  return changeKeys(ctx, userId, proof, async (tx, user) => {
    // A cut-off locks keys without locking their users.
    await lockKey(tx.db, id);
    return work(tx, await getKey(tx, id), user);
  });
}

/** Returns a person's key to its user or the operator; throws not_found for others. */
export async function getKey(ctx: Context, keyId: string): Promise<Key> {
  const key = await selectKey(ctx.db, keyId, ctx.clock.now());
  if (key === undefined || !mayActFor(ctx, key.userId)) throw notFound('key');
  return key;
}

/**
 * Adds podcasts to those that a key names. Its user must be a member of each. The operator may name
 * any podcast; the key reads it once its user is a member. Adds none if one cannot be added.
 */
export async function namePodcasts(
  tx: Context,
  key: Pick<Key, 'id' | 'userId'>,
  podcasts: readonly string[],
): Promise<void> {
  const podcastIds = [...new Set(podcasts.map((id) => id.toLowerCase()))];
  const memberId = isTrusted(tx) ? undefined : key.userId;
  const named = await insertNamedPodcasts(tx.db, { keyId: key.id, podcastIds, memberId });
  const missing = podcastIds.filter((id) => !named.includes(id));
  if (missing.length > 0) {
    throw invalid('podcasts', `These are not your podcasts: ${missing.join(', ')}.`);
  }
}
