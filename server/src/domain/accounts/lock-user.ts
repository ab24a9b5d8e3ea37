import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { selectUserForUpdate } from './accounts.sql.ts';
import type { User } from './user.ts';

/**
 * Locks a user until the transaction ends, which serializes changes of their password and keys.
 * Users are locked before podcasts, and podcasts before keys, so there are no deadlocks.
 */
export async function lockUser(
  tx: Context,
  userId: string,
): Promise<User & { readonly passwordHash: string }> {
  const user = await selectUserForUpdate(tx.db, userId);
  if (user === undefined) throw new DomainError('not_found', 'There is no such user.');
  return user;
}
