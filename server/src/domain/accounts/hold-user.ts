import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { lockUser } from './accounts.sql.ts';
import type { User } from './user.ts';

/**
 * Holds a user to the end of the transaction: what changes their password and keys queues here.
 * Users are held before podcasts, and those before keys: so nobody waits for whoever waits for them.
 */
export async function holdUser(
  tx: Context,
  userId: string,
): Promise<User & { readonly passwordHash: string }> {
  const user = await lockUser(tx.db, userId);
  if (user === undefined) throw new DomainError('not_found', 'There is no such user.');
  return user;
}
