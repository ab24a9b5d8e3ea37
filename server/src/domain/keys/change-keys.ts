import {
  holdProof,
  holdUser,
  type PasswordProof,
  proveCurrentPassword,
  type User,
} from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Key } from './key.ts';
import { lockKey, selectKey } from './keys.sql.ts';

/** What gives a key more asks for the user's password; the operator needs none. */
export interface WithPassword {
  readonly currentPassword?: string | undefined;
}

/** Before the transaction: proving takes its time. Undefined for the operator. */
export async function proveForKeys(
  ctx: Context,
  userId: string,
  { currentPassword = '' }: WithPassword,
): Promise<PasswordProof | undefined> {
  if (ctx.actor.kind === 'operator') return undefined;
  return proveCurrentPassword(ctx, userId, currentPassword);
}

/**
 * Does `work` in a transaction that holds the user: whatever changes one user's keys or password
 * queues here. A password changed since it was proven proves nothing.
 */
export function changeKeys<T>(
  ctx: Context,
  userId: string,
  proof: PasswordProof | undefined,
  work: (tx: Context, user: User) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    const user = proof === undefined ? await holdUser(tx, userId) : await holdProof(tx, proof);
    return work(tx, user);
  });
}

/** The same for one key, as it is once nothing else can change it. */
export function changeKey<T>(
  ctx: Context,
  { id, userId }: Pick<Key, 'id' | 'userId'>,
  proof: PasswordProof | undefined,
  work: (tx: Context, key: Key, user: User) => Promise<T>,
): Promise<T> {
  return changeKeys(ctx, userId, proof, async (tx, user) => {
    // A cut-off holds keys without their users.
    await lockKey(tx.db, id);
    return work(tx, await getKey(tx, id), user);
  });
}

/** A person's key, by whoever it belongs to, or the operator; for others there is none. */
export async function getKey(ctx: Context, keyId: string): Promise<Key> {
  const key = await selectKey(ctx.db, keyId, ctx.clock.now());
  if (key === undefined || !mayManageKeysOf(ctx, key.userId)) throw notFound('key');
  return key;
}

/** Keys are their user's own matter, and the operator's. */
export function mayManageKeysOf({ actor }: Context, userId: string): boolean {
  return actor.kind === 'user' ? actor.userId === userId : actor.kind !== 'public';
}
